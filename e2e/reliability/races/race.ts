import type { Answer } from '@arboleda/chassis/testing/request.ts';
import type { World } from './world.ts';

/** One call of one client, ready to go. */
export type Shot = () => Promise<Answer>;

/** A round that was played: what it was about, and what its clients were answered. */
export interface Played<Round> {
  round: Round;
  answers: readonly Answer[];
}

/** Several people, or one person several times, do at once what may happen but once. */
interface Rules<Round> {
  name: string;
  /** Expected state afterwards. */
  effect: string;
  /** Fresh things for so many rounds. */
  prepare(world: World, rounds: number): Promise<Round[]>;
  /** Concurrent calls of one round. */
  shots(world: World, round: Round, clients: number): Shot[];
  /** Looks past the product's own code at what came of each round. @returns what is wrong, in sentences */
  judge(world: World, played: readonly Played<Round>[]): Promise<string[]>;
}

export interface Race {
  name: string;
  effect: string;
  /** Plays so many rounds, one after the other, and judges them. */
  run(world: World, rounds: number, clients: number): Promise<{ answers: Answer[]; faults: string[] }>;
}

export const race = <Round>({ name, effect, prepare, shots, judge }: Rules<Round>): Race => ({
  name,
  effect,
  async run(world, rounds, clients) {
    const played: Played<Round>[] = [];
    for (const round of await prepare(world, rounds)) {
      const answers = await Promise.all(shots(world, round, clients).map((shoot) => shoot()));
      played.push({ round, answers });
    }
    return { answers: played.flatMap((one) => one.answers), faults: await judge(world, played) };
  },
});

/** Which of two things a client does: half of them the one, half the other. */
export const either = <T>(client: number, one: T, other: T): T => (client % 2 === 0 ? one : other);

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_none, index) => make(index));

/** Things made one after the other by some at once, in order. */
export async function inTurn<T>(
  count: number,
  make: (index: number) => Promise<T>,
  atOnce = 6,
): Promise<T[]> {
  const made: T[] = [];
  let next = 0;
  await Promise.all(
    times(Math.min(atOnce, count), async () => {
      while (next < count) {
        const index = next++;
        made[index] = await make(index);
      }
    }),
  );
  return made;
}

/** How often each status was answered: "200×19 409×1". */
export function tally(answers: readonly Answer[]): string {
  const counts = new Map<number, number>();
  for (const { status } of answers) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}×${count}`)
    .join(' ');
}
