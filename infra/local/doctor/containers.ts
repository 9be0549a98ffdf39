import { SERVICES } from '@arboleda/contracts/services.ts';
import { spawnSync } from 'node:child_process';
import { figureFindings } from './figures.ts';
import type { Finding } from './settings.ts';

const ASK = `
  const ask = async (path) => (await fetch('http://127.0.0.1:8080' + path)).text().catch(() => '');
  process.stdout.write(JSON.stringify([await ask('/readyz'), await ask('/metrics')]));`;

/** Asks each container of docker compose: whether it runs, and what its service says of itself. */
export function containerFindings(): Finding[] {
  const states = new Map(listed().map(({ Service, State, Health }) => [Service, { State, Health }]));
  const down = [...states].flatMap(([service, { State, Health }]) =>
    State === 'running' && Health !== 'unhealthy'
      ? []
      : [`The container ${service} is ${Health || State}: docker compose logs ${service} says why.`],
  );
  const missing = SERVICES.filter((service) => !states.has(service)).map(
    (service) => `There is no container of ${service}: docker compose up --detach ${service}`,
  );
  const running = SERVICES.filter((service) => states.get(service)?.State === 'running');
  return [...down, ...missing, ...running.flatMap(asked)];
}

function listed(): { Service: string; State: string; Health: string }[] {
  const { stdout } = spawnSync('docker', ['compose', 'ps', '--all', '--format', 'json'], {
    encoding: 'utf8',
  });
  // An array or, of newer versions, an object on each line. Those that set up an engine are meant to end.
  const text = stdout.trim();
  const all = (
    text.startsWith('[')
      ? JSON.parse(text)
      : text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
  ) as ReturnType<typeof listed>;
  return all.filter(({ Service }) => !Service.endsWith('-setup') && Service !== 'demo');
}

function asked(service: string): Finding[] {
  const command = ['compose', 'exec', '--no-TTY', service, 'node', '--input-type=module', '--eval', ASK];
  const { status, stdout } = spawnSync('docker', command, { encoding: 'utf8', timeout: 15_000 });
  if (status !== 0)
    return [`${service} does not answer inside its container: docker compose logs ${service} says why.`];
  const [readiness, metrics] = JSON.parse(stdout) as [string, string];
  return figureFindings(service, readiness, metrics);
}
