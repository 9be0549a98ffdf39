import { SERVICES } from '@arboleda/contracts/services.ts';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { openCompose } from '../backup/containers/compose.ts';
import { type Answer, containerSentences, type Container } from './container-sentences.ts';
import { type Finding, paidWithoutOrder } from './settings.ts';

const ASK_WITHIN_MS = 20_000;
const ASK = `
  const ask = async (path) => (await fetch('http://127.0.0.1:8080' + path)).text().catch(() => '');
  process.stdout.write(JSON.stringify({ readiness: await ask('/readyz'), metrics: await ask('/metrics') }));`;
const PRODUCT = [...SERVICES, 'gateway'] as const;

/** Checks each docker compose container, and its service's own report. */
export async function containerFindings(): Promise<Finding[]> {
  const containers = await listed();
  const running = PRODUCT.filter((service) =>
    containers.some(({ Service, State }) => Service === service && State === 'running'),
  );
  const answers = await Promise.all(running.map(async (service) => [service, await asked(service)] as const));
  const ready = answers
    .filter(([, answer]) => answer?.readiness.includes('"ok"'))
    .map(([service]) => service);
  return [...containerSentences(containers, new Map(answers)), ...(await moneyFindings(ready))];
}

/** Compares payments with orders, which are in different databases. */
async function moneyFindings(ready: readonly string[]): Promise<Finding[]> {
  if (!ready.includes('payments') || !ready.includes('orders')) return [];
  const run = (service: string, main: string, input = '') =>
    openCompose({}).run(['exec', '--no-TTY', service, 'node', main], input);
  try {
    const paid = await run('payments', 'services/payments/operator/paid.ts');
    const missing = await run('orders', 'services/orders/operator/missing.ts', paid);
    const count = missing.split('\n').filter(Boolean).length;
    return count > 0 ? [paidWithoutOrder(count)] : [];
  } catch {
    return [
      'Whether each payment has its order could not be seen: ask once more when all services are ready.',
    ];
  }
}

async function listed(): Promise<Container[]> {
  const stdout = await compose('ps', '--all', '--format', 'json');
  // An array, or with newer versions one object per line. Set-up containers are expected to have exited.
  const text = stdout.trim();
  const all = (
    text.startsWith('[')
      ? JSON.parse(text)
      : text
          .split('\n')
          .filter(Boolean)
          .map((line) => JSON.parse(line))
  ) as Container[];
  return all.filter(({ Service }) => !Service.endsWith('-setup') && Service !== 'demo');
}

const asked = async (service: string): Promise<Answer | undefined> => {
  const command = ['exec', '--no-TTY', service, 'node', '--input-type=module', '--eval', ASK];
  return compose(...command).then(
    (said) => JSON.parse(said) as Answer,
    () => undefined,
  );
};

async function compose(...args: string[]): Promise<string> {
  const run = promisify(execFile);
  const { stdout } = await run('docker', ['compose', ...args], {
    timeout: ASK_WITHIN_MS,
    maxBuffer: 2 ** 24,
  });
  return stdout;
}
