import type { PartResult, RunOptions } from '../parts.ts';
import { appCode, eraseOrOrder, recoveryCode, resetTwice, sameEmail, verifyTwice } from './accounts.ts';
import { samePhoto, twoWorkers, workerOrAdmin } from './field.ts';
import { claimTwice } from './gifts.ts';
import { confirmTwice, oneKey, refundParts, refundTwice, twoTabs } from './paying.ts';
import { openSetup, type Race, tally } from './race.ts';
import { approveOrReject, refundOrApprove, twoAdmins, twoNeeded } from './transferring.ts';

const RACES: readonly Race[] = [
  oneKey,
  twoTabs,
  confirmTwice,
  refundTwice,
  refundParts,
  approveOrReject,
  twoAdmins,
  twoNeeded,
  refundOrApprove,
  workerOrAdmin,
  twoWorkers,
  samePhoto,
  sameEmail,
  verifyTwice,
  resetTwice,
  appCode,
  recoveryCode,
  eraseOrOrder,
  claimTwice,
];

const CLIENTS = 20;
const ROUNDS = { long: 200, short: 2 };

/** Many clients do at once what may happen but once. `--rounds=50`, `--only=refund`. */
export async function run({ short, print, settings }: RunOptions): Promise<PartResult> {
  const rounds = Number(settings.rounds ?? (short ? ROUNDS.short : ROUNDS.long));
  const setup = await openSetup();
  const rows: (string | number)[][] = [];
  const violations: string[] = [];
  try {
    for (const race of RACES.filter(({ name }) => name.includes(settings.only ?? ''))) {
      const startedAt = Date.now();
      const { answers, faults } = await race.run(setup, rounds, CLIENTS);
      const broken = answers.filter(({ status }) => status >= 500);
      faults.push(...(broken.length > 0 ? [`${broken.length} answers were 5xx: ${tally(broken)}`] : []));
      violations.push(...faults.map((fault) => `${race.name}: ${fault}`));
      rows.push([race.name, rounds, answers.length, tally(answers), race.effect, faults.length]);
      print(`${race.name}: ${faults.length} faults, ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    }
  } finally {
    await setup.close();
  }
  return {
    part: 'races',
    work: `${CLIENTS} clients at once, ${rounds} rounds of each race, through the gateway of the embedded tier.`,
    tables: [
      {
        title: 'Races',
        columns: ['race', 'rounds', 'calls', 'answers', 'what must hold', 'faults'],
        rows,
        isDetail: true,
      },
    ],
    violations,
  };
}
