import { setTimeout as sleep } from 'node:timers/promises';
import { type Driver, openDriver } from '@arboleda/cli/demo/driver.ts';
import { PASSWORD, putPerson } from '../harness/accounts.ts';
import { openProduct } from '../harness/product.ts';
import { type Figures, percentile, ratio, withSpread } from './figures.ts';

/** A file as a Colombian bank exports it: credits of a year, each with a text of its own. */
function statement(rows: number, round: number): File {
  const lines = Array.from({ length: rows }, (_, at) => {
    const day = new Date(Date.UTC(2026, 0, 1 + (at % 300))).toISOString().slice(0, 10);
    return `${day.split('-').reverse().join('/')};PAGO ${round} DE CLIENTE ${at};${(at % 900) + 100}.000,00;${round}-${at}`;
  });
  return new File(
    [['Fecha;Descripción;Valor;Documento', ...lines, ''].join('\r\n')],
    `extracto-${round}.csv`,
  );
}

interface Imported {
  readMs: number;
  confirmMs: number;
}

/** @returns how long it took to read the file and to import its rows */
async function importOne(driver: Driver, token: string, file: File): Promise<Imported> {
  const body = new FormData();
  body.append('statement', file, file.name);
  const startedAt = performance.now();
  const draft = (await driver.call('POST /api/admin/statements', { token, body })).statement;
  const readAt = performance.now();
  const params = { id: draft.statementId };
  await driver.call('POST /api/admin/statements/{id}/confirm', { token, params });
  return { readMs: readAt - startedAt, confirmMs: performance.now() - readAt };
}

const ADMIN = 'ana@bench.test';

const EVERY_MS = 20;

/** Buyers' calls, fifty a second whatever the answers take, until stopped. @returns ms of each */
function beginTraffic(ask: () => Promise<unknown>): () => Promise<number[]> {
  const durations: number[] = [];
  const open = new Set<Promise<void>>();
  let isStopped = false;
  const running = (async () => {
    for (let next = performance.now(); !isStopped; next += EVERY_MS) {
      const askedAt = performance.now();
      const one: Promise<void> = ask()
        .then(() => void durations.push(performance.now() - askedAt))
        .finally(() => open.delete(one));
      open.add(one);
      await sleep(Math.max(0, next + EVERY_MS - performance.now()));
    }
  })();
  return async () => {
    isStopped = true;
    await running;
    await Promise.all(open);
    return durations;
  };
}

/** Imports a year of a busy account beside buyers who ask for prices and their orders. */
export async function statements({ quick }: { quick: boolean }): Promise<Figures> {
  const { rounds, rows, quietMs } = quick
    ? { rounds: 1, rows: 500, quietMs: 500 }
    : { rounds: 5, rows: 20_000, quietMs: 5_000 };
  await using product = await openProduct({ RATE_LIMIT_SCALE: '100000', LOG_LEVEL: 'error' });
  const imports: Imported[] = [];
  const quiet: number[] = [];
  const beside: number[] = [];
  const driver = openDriver(product);
  await putPerson(product, 'admin', ADMIN);
  const token = await driver.logIn('admin', ADMIN, PASSWORD);
  const { orderToken } = await driver.announce('buyer@bench.test', { reference: 'ARB-1' });
  let turn = 0;
  const ask = () =>
    turn++ % 2 === 0
      ? driver.call('GET /api/pricing/packages', { query: { currency: 'COP' } })
      : driver.call('GET /api/track/{token}', { params: { token: orderToken } });
  for (let round = 0; round <= rounds; round++) {
    const alone = beginTraffic(ask);
    await sleep(quietMs);
    const before = percentile(await alone(), 0.95);
    // Made before, as it holds up the generator.
    const file = statement(rows, round);
    const busy = beginTraffic(ask);
    const imported = await importOne(driver, token, file);
    const during = percentile(await busy(), 0.95);
    // The first round compiles what the others measure.
    if (round === 0) continue;
    imports.push(imported);
    quiet.push(before);
    beside.push(during);
  }
  const seconds = (of: (one: Imported) => number) =>
    withSpread(
      imports.map((one) => of(one) / 1_000),
      2,
    );
  return {
    bench: 'statements',
    work:
      `A statement of ${rows} credits is read and imported by one process of all services while buyers ask for prices and their order` +
      ` 50 times a second; ${rounds} rounds after one that warms up. The generator runs on the same two cores.`,
    tables: [
      {
        title: 'Import, s',
        columns: ['what', 'median (range)'],
        rows: [
          ['file read', seconds(({ readMs }) => readMs)],
          ['rows imported', seconds(({ confirmMs }) => confirmMs)],
          ['both', seconds(({ readMs, confirmMs }) => readMs + confirmMs)],
        ],
      },
      {
        title: 'Calls of buyers, p95 in ms',
        columns: ['when', 'median (range)'],
        rows: [
          ['before an import', withSpread(quiet)],
          ['during it', withSpread(beside)],
          ['ratio', ratio(beside, quiet)],
        ],
      },
    ],
  };
}
