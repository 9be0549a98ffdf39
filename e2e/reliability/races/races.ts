import type { Answer } from '@arboleda/chassis/testing/request.ts';
import type { PartResult, RunOptions } from '../part.ts';
import { samePhoto, workerOrAdmin } from './field.ts';
import { approveOrReject, clickTwice, confirmTwice, refundOrApprove, refundParts } from './money.ts';
import { openSetup } from './race.ts';

/** Races across services. Those within one service are component tests: services/<name>/test. */
const RACES = [
  clickTwice,
  confirmTwice,
  refundParts,
  approveOrReject,
  refundOrApprove,
  workerOrAdmin,
  samePhoto,
];

const CLIENTS = 20;
const ROUNDS = { long: 200, short: 2 };

/** Many clients do the same at once, and it may happen only once. `--rounds=50`, `--only=refund`. */
export async function run({ short, print, settings }: RunOptions): Promise<PartResult> {
  await using closing = new AsyncDisposableStack();
  const rounds = Number(settings.rounds ?? (short ? ROUNDS.short : ROUNDS.long));
  const setup = await openSetup(closing);
  const rows: (string | number)[][] = [];
  const violations: string[] = [];
  for (const race of RACES.filter(({ name }) => name.includes(settings.only ?? ''))) {
    const startedAt = Date.now();
    const { answers, faults } = await race.run(setup, rounds, CLIENTS);
    const broken = answers.filter(({ status }) => status >= 500);
    if (broken.length > 0) faults.push(`${broken.length} answers were 5xx: ${tally(broken)}`);
    violations.push(...faults.map((fault) => `${race.name}: ${fault}`));
    rows.push([race.name, rounds, answers.length, tally(answers), race.effect, faults.length]);
    print(`${race.name}: ${faults.length} faults, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  }
  const columns = ['race', 'rounds', 'calls', 'answers', 'what must hold', 'faults'];
  return {
    part: 'races',
    work: `${CLIENTS} clients at once, ${rounds} rounds of each race, through the gateway of the embedded tier.`,
    tables: [{ title: 'Races', columns, rows, isDetail: true }],
    violations,
  };
}

/** Answers by status: "200×19 409×1". */
const tally = (answers: readonly Answer[]): string =>
  [...Map.groupBy(answers, ({ status }) => status)]
    .toSorted(([a], [b]) => a - b)
    .map(([status, all]) => `${status}×${all.length}`)
    .join(' ');
