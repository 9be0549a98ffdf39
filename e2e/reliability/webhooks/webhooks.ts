import setUp from '@arboleda/chassis/testing/global-setup.ts';
import tearDown from '@arboleda/chassis/testing/global-teardown.ts';
import { isDeepStrictEqual } from 'node:util';
import type { PartResult, RunOptions } from '../parts.ts';
import { histories, type History, isLossy } from './histories.ts';
import { endingsOf, openSetup, type Setup, wholeEnding } from './setup.ts';
import { startCheckout, type Truth, TRUTHS } from './truths.ts';

/** How many histories of a truth. */
const MOST = { long: 300, short: 8 };
const AT_ONCE = 6;

interface Told {
  orderId: string;
  history: History;
  isLossy: boolean;
  how: 'in turn' | 'at once';
}

interface Heard {
  truth: Truth;
  told: Told[];
}

type Endings = ReadonlyMap<string, unknown>;

/** Every way in which a payment's webhooks can arrive ends in the same. `--only=package`, `--most=1000`. */
export async function run({ short, print, settings }: RunOptions): Promise<PartResult> {
  const most = Number(settings.most ?? (short ? MOST.short : MOST.long));
  const truths = TRUTHS.filter(({ name }) => name.includes(settings.only ?? ''));
  const rows: (string | number)[][] = [];
  const violations: string[] = [];
  await setUp();
  try {
    // A setup for each: comparing the provider's lists takes as long as they are.
    for (const some of short ? [truths] : truths.map((truth) => [truth])) {
      const startedAt = Date.now();
      for (const { row, faults } of await tryOut(some, most)) {
        rows.push(row);
        violations.push(...faults);
        print(`${row[0]}: ${row[2]} histories, ${faults.length} faults`);
      }
      print(`  ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    }
  } finally {
    await tearDown();
  }
  const total = rows.reduce((sum, row) => sum + Number(row[2]), 0);
  return {
    part: 'webhooks',
    work: `${total} histories of ${rows.length} truths, each of a payment of its own: every order, with repeats and losses, two thirds in turn and a third all at once.`,
    tables: [
      {
        title: 'Events of the provider, and what became of them',
        columns: [
          'truth',
          'events',
          'histories',
          'with losses',
          'deliveries',
          'mended by the reconciler',
          'faults',
        ],
        rows,
        isDetail: true,
      },
    ],
    violations,
  };
}

async function tryOut(truths: readonly Truth[], most: number) {
  const setup = await openSetup();
  try {
    const heard: Heard[] = [];
    for (const truth of truths) {
      heard.push({ truth, told: await tellAll(setup, truth, histories(truth.tells.length, most)) });
    }
    const ids = heard.flatMap(({ told }) => told.map(({ orderId }) => orderId));
    await setup.settled();
    const before = await endingsOf(setup, ids);
    await setup.reconcile();
    await setup.settled();
    const after = await endingsOf(setup, ids);
    return heard.map((one) => {
      const faults = faultsOf(one, before, after);
      return { row: rowOf(one, before, after, faults.length), faults };
    });
  } finally {
    await setup.close();
  }
}

const rowOf = ({ truth, told }: Heard, before: Endings, after: Endings, faults: number) => [
  truth.name,
  truth.tells.length,
  told.length,
  told.filter((one) => one.isLossy).length,
  told.reduce((sum, { history }) => sum + history.length, 0),
  told.filter(({ orderId }) => !isDeepStrictEqual(before.get(orderId), after.get(orderId))).length,
  faults,
];

/** Without losses all must be well at once, with losses once the reconciler has looked. */
function faultsOf({ truth, told }: Heard, before: Endings, after: Endings): string[] {
  const wanted = wholeEnding(truth.ending);
  return told.flatMap((one) => {
    const heard = `${truth.name}: heard ${one.history.map((at) => truth.tells[at]).join(', ') || 'nothing'} ${one.how}`;
    const fault = (when: string, found: unknown) =>
      isDeepStrictEqual(found, wanted)
        ? []
        : [`${heard}${when}: ${JSON.stringify(found)}; wanted ${JSON.stringify(wanted)}`];
    return [
      ...(one.isLossy ? [] : fault('', before.get(one.orderId))),
      ...fault(', reconciled', after.get(one.orderId)),
    ];
  });
}

/** Each history in a payment of its own, some at a time. */
async function tellAll(setup: Setup, truth: Truth, all: readonly History[]): Promise<Told[]> {
  const told: Told[] = [];
  const rest = all.map((history, at) => ({ history, how: at % 3 === 2 ? 'at once' : 'in turn' }) as const);
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let one = rest.shift(); one; one = rest.shift()) {
        told.push({ ...one, ...(await tell(setup, truth, one.history, one.how)) });
      }
    }),
  );
  return told;
}

async function tell(setup: Setup, truth: Truth, history: History, how: Told['how']) {
  const subject = await startCheckout(setup);
  for (const act of truth.acts) await act(setup, subject);
  const { orderId } = subject;
  const { wanted, others } = await setup.collect(orderId, truth.tells);
  // Events that do not matter for the outcome are delivered in order.
  const deliveries = [...others.slice(0, 2), ...history.map((at) => wanted[at]!)];
  if (how === 'at once') await Promise.all(deliveries.map(setup.deliver));
  else for (const sent of deliveries) await setup.deliver(sent);
  return { orderId, isLossy: isLossy(history, truth.tells.length) };
}
