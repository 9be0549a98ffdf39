import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments, parse } from 'yaml';

/** Any Kubernetes object; other fields are parsed where they are used. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- schemas are checked by kubernetes-validate.
  spec?: any;
}

export interface Kustomization {
  resources?: string[];
  components?: string[];
  patches?: { path: string; target?: { kind?: string; name?: string } }[];
  configMapGenerator?: { name: string; envs: string[] }[];
  secretGenerator?: { name: string; envs: string[] }[];
  images?: { name: string; newName?: string; newTag?: string }[];
}

export const K8S_DIR = import.meta.dirname;
const textOf = (...path: string[]) => readFileSync(join(K8S_DIR, ...path), 'utf8');

/** Objects of a file or of kustomize's output. @throws when it is not YAML */
export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]!;
    return (document.toJS() as Manifest | null) ?? [];
  });

export const readKustomization = (folder: string): Kustomization =>
  parse(textOf(folder, 'kustomization.yaml')) as Kustomization;

/** Objects of a kustomization's resource files, without its generators. */
export const readResources = (folder: string): Manifest[] =>
  (readKustomization(folder).resources ?? [])
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseManifests(textOf(folder, name)));

/** The base with its own patches applied, as kustomize would for Deployments. */
export function readBase(): Manifest[] {
  const patches = (readKustomization('base').patches ?? []).map(({ path, target }) => {
    const [patch] = parseManifests(textOf('base', path)) as [Manifest];
    const isFor = ({ kind, metadata }: Manifest) =>
      target ? kind === target.kind : kind === patch.kind && metadata.name === patch.metadata.name;
    return { isFor, spec: patch.spec as unknown };
  });
  return readResources('base').map((object) =>
    patches
      .filter(({ isFor }) => isFor(object))
      .reduce(
        (changed, { spec }) => ({ ...changed, spec: overlaid(changed.spec, structuredClone(spec)) }),
        object,
      ),
  );
}

/** A strategic merge: named items are matched by name, other lists are replaced. */
function overlaid(base: unknown, patch: unknown): unknown {
  if (isNamed(base) && isNamed(patch)) {
    const added = patch.filter(({ name }) => base.every((one) => one.name !== name));
    return [
      ...base.map((one) =>
        patch
          .filter(({ name }) => name === one.name)
          .reduce((was, over) => overlaid(was, over) as Named, one),
      ),
      ...added,
    ];
  }
  if (!isObject(base) || !isObject(patch)) return patch;
  const merged = { ...base };
  for (const [key, value] of Object.entries(patch))
    merged[key] = key in base ? overlaid(base[key], value) : value;
  return merged;
}

type Named = { name: string };
const isObject = (it: unknown): it is Record<string, unknown> =>
  typeof it === 'object' && it !== null && !Array.isArray(it);
const isNamed = (it: unknown): it is Named[] =>
  Array.isArray(it) && it.every((one) => isObject(one) && typeof one.name === 'string');

/** Parses NAME=value lines; comments and empty lines are skipped. */
export function readVariables(...path: string[]): Record<string, string> {
  const lines = textOf(...path).split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const found = /^([A-Z][A-Z0-9_]*)=(.*)$/.exec(line);
      return found ? [[found[1]!, found[2]!]] : [];
    }),
  );
}
