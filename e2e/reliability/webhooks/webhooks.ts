import setUp from '@arboleda/chassis/testing/global-setup.ts';
import tearDown from '@arboleda/chassis/testing/global-teardown.ts';
import { isDeepStrictEqual } from 'node:util';
import { inTurn } from '../../harness/wait.ts';
import type { PartResult, RunOptions } from '../part.ts';
import { histories, type History, isLossy } from './histories.ts';
import { type Scenario, SCENARIOS, startCheckout } from './scenarios.ts';
import { endingsOf, openSetup, type Setup, wholeEnding } from './setup.ts';

/** How many histories of a scenario. */
const MOST = { long: 300, short: 8 };

/** One history, in a payment of its own. */
interface Delivered {
  orderId: string;
  history: History;
  isLossy: boolean;
  how: 'in turn' | 'at once';
}

interface Tried {
  scenario: Scenario;
  all: readonly Delivered[];
}

type Endings = ReadonlyMap<string, unknown>;

/** Delivers a payment's webhooks in every order: the result is the same. `--only=package`, `--most=1000`. */
export async function run({ short, print, settings }: RunOptions): Promise<PartResult> {
  const most = Number(settings.most ?? (short ? MOST.short : MOST.long));
  const scenarios = SCENARIOS.filter(({ name }) => name.includes(settings.only ?? ''));
  const rows: (string | number)[][] = [];
  const violations: string[] = [];
  await setUp();
  try {
    // A setup for each, because the reconciler reads the provider's whole lists.
    for (const some of short ? [scenarios] : scenarios.map((scenario) => [scenario])) {
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
    work: `${total} histories of ${rows.length} scenarios, each of a payment of its own: every order, with repeats and losses, two thirds in turn and a third all at once.`,
    tables: [
      {
        title: 'Events of the provider, and what became of them',
        columns: [
          'scenario',
          'events',
          'histories',
          'with losses',
          'deliveries',
          'repaired by the reconciler',
          'faults',
        ],
        rows,
        isDetail: true,
      },
    ],
    violations,
  };
}

async function tryOut(scenarios: readonly Scenario[], most: number) {
  const setup = await openSetup();
  try {
    const tried: Tried[] = [];
    for (const scenario of scenarios)
      tried.push({ scenario, all: await deliverHistories(setup, scenario, most) });
    const ids = tried.flatMap(({ all }) => all.map(({ orderId }) => orderId));
    await setup.settled();
    const before = await endingsOf(setup, ids);
    await setup.reconcile();
    await setup.settled();
    const after = await endingsOf(setup, ids);
    return tried.map((one) => {
      const faults = faultsOf(one, before, after);
      return { row: rowOf(one, before, after, faults.length), faults };
    });
  } finally {
    await setup.close();
  }
}

const rowOf = ({ scenario, all }: Tried, before: Endings, after: Endings, faults: number) => [
  scenario.name,
  scenario.events.length,
  all.length,
  all.filter((one) => one.isLossy).length,
  all.reduce((sum, { history }) => sum + history.length, 0),
  all.filter(({ orderId }) => !isDeepStrictEqual(before.get(orderId), after.get(orderId))).length,
  faults,
];

/** Without losses everything must be right at once, with losses after the reconciler ran. */
function faultsOf({ scenario, all }: Tried, before: Endings, after: Endings): string[] {
  const wanted = wholeEnding(scenario.ending);
  return all.flatMap(({ orderId, history, how, ...one }) => {
    const events = history.map((at) => scenario.events[at]).join(', ') || 'nothing';
    const fault = (when: string, found: unknown) =>
      isDeepStrictEqual(found, wanted)
        ? []
        : [
            `${scenario.name}: ${events} ${how}${when}: ${JSON.stringify(found)}; wanted ${JSON.stringify(wanted)}`,
          ];
    return [
      ...(one.isLossy ? [] : fault('', before.get(orderId))),
      ...fault(', reconciled', after.get(orderId)),
    ];
  });
}

/** Delivers each history of a scenario, some at a time. */
function deliverHistories(setup: Setup, scenario: Scenario, most: number): Promise<Delivered[]> {
  const { acts, events } = scenario;
  const all = histories(events.length, most);
  return inTurn(all.length, async (number) => {
    const history = all[number]!;
    const subject = await startCheckout(setup);
    for (const act of acts) await act(setup, subject);
    const { orderId } = subject;
    const { wanted, others } = await setup.collect(orderId, events);
    // Events that do not matter for the outcome are delivered in order.
    const deliveries = [...others.slice(0, 2), ...history.map((at) => wanted[at]!)];
    const how = number % 3 === 2 ? 'at once' : 'in turn';
    if (how === 'at once') await Promise.all(deliveries.map(setup.deliver));
    else for (const sent of deliveries) await setup.deliver(sent);
    return { orderId, history, isLossy: isLossy(history, events.length), how };
  });
}
