import { SERVICES, type ServiceName } from '@arboleda/contracts/services.ts';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { calledBy } from '../k8s/calls.ts';

interface Container {
  environment?: Record<string, unknown>;
  depends_on?: Record<string, unknown>;
  ports?: string[];
  volumes?: string[];
  profiles?: string[];
  command?: unknown;
}

type Containers = Record<string, Container>;
/** Targets by source container. */
type Arrows = Map<string, string[]>;

const ROOT = join(import.meta.dirname, '..', '..');
const DOCUMENT = join(ROOT, 'docs', 'operations.md');
export const BEGIN = '<!-- begin: npm run diagram -->';
export const END = '<!-- end -->';

/** A host with its port, in an address, a list of addresses, or a variable's default. */
const HOST = /(?:\/\/|@|^|,)([a-z][a-z-]*):(?=\d|\$\{\w*PORT)/g;

const isService = (name: string): name is ServiceName => (SERVICES as readonly string[]).includes(name);

/**
 * Containers named in a container's variables. Every service has all addresses of services, so only those that its
 * code calls count.
 */
function talksTo(name: string, { environment = {} }: Container, all: Containers): string[] {
  const named = Object.values(environment).flatMap((value) =>
    [...String(value ?? '').matchAll(HOST)].map((match) => match[1]!),
  );
  const received = [...new Set(named)].filter((other) => other in all && other !== name);
  return name === 'gateway' || !isService(name)
    ? received.filter((other) => name === 'gateway' || !isService(other))
    : received.filter((other) => !isService(other) || calledBy(name).includes(other));
}

/** "8080" for "${PORT:-8080}:8080"; "127.0.0.1:8080" when only this machine can reach it. */
const published = (port: string): string =>
  port.replaceAll(/\$\{\w+:-([\w.]+)\}/g, '$1').replace(/:\w+$/, '');

function label(name: string, { ports = [], volumes = [] }: Container): string {
  const kept = volumes.map((one) => one.split(':')[0]!).filter((source) => !/^[./]/.test(source));
  return [
    name,
    ...ports.map((port) => `port ${published(port)}`),
    ...kept.map((volume) => `volume ${volume}`),
  ].join('<br/>');
}

/** `a & b --> c`: one line per set of targets. */
function lines(arrows: Arrows, arrow: string): string[] {
  const bySource = [...arrows].filter(([, targets]) => targets.length > 0);
  const byTargets = Map.groupBy(bySource, ([, targets]) => targets.join(' & '));
  return [...byTargets].map(([to, from]) => `  ${from.map(([name]) => name).join(' & ')} ${arrow} ${to}`);
}

/** The containers of docker-compose.yml as a Mermaid flowchart. */
export function flowchart(composeText: string): string {
  const { services: all } = parse(composeText, { merge: true, maxAliasCount: -1 }) as {
    services: Containers;
  };
  const entries = Object.entries(all);
  const talking: Arrows = new Map(entries.map(([name, one]) => [name, talksTo(name, one, all)]));
  const waiting: Arrows = new Map(
    entries.map(([name, one]) => [
      name,
      Object.keys(one.depends_on ?? {}).filter((other) => !talking.get(name)!.includes(other)),
    ]),
  );
  const groups = Map.groupBy(entries, ([name, { profiles }]) =>
    isService(name) ? 'services' : (profiles?.map((one) => `--profile ${one}`).join(' ') ?? ''),
  );
  return [
    '```mermaid',
    'flowchart LR',
    ...[...groups].flatMap(([title, members], at) => {
      const nodes = members.map(([name, one]) => `${name}["${label(name, one)}"]`);
      return title === ''
        ? nodes.map((node) => `  ${node}`)
        : [`  subgraph group${at}["${title}"]`, ...nodes.map((node) => `    ${node}`), '  end'];
    }),
    ...lines(talking, '-->'),
    ...lines(waiting, '-.->'),
    '```',
  ].join('\n');
}

/** The document with a new flowchart between its markers. @throws when it has no markers */
export function withFlowchart(document: string, composeText: string): string {
  const [before, rest] = document.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`there is no ${BEGIN} … ${END} to write between`);
  return `${before}${BEGIN}\n\n${flowchart(composeText)}\n\n${END}${after}`;
}

export const readParts = () => ({
  document: readFileSync(DOCUMENT, 'utf8'),
  composeText: readFileSync(join(ROOT, 'docker-compose.yml'), 'utf8'),
});

if (import.meta.main) {
  const { document, composeText } = readParts();
  writeFileSync(DOCUMENT, withFlowchart(document, composeText));
}
