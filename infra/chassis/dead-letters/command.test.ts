import { describe, expect, test } from '@jest/globals';
import { perform, readArguments, USAGE } from './command.ts';
import type { DeadLetters, Letter } from './dead-letters.ts';

const letter: Letter = {
  ...{ id: 'l1', kind: 'event', owner: 'orders', what: 'payment.succeeded', key: 'o1' },
  ...{ failedAt: '2026-05-01T12:00:00.000Z', error: 'Error: no\n  such order' },
};

function someLetters(all: readonly Letter[] = [letter]) {
  const replayed: string[] = [];
  const letters: DeadLetters = {
    list: async (owner) => all.filter((one) => owner === undefined || one.owner === owner),
    async replay(id) {
      if (!all.some((one) => one.id === id)) return false;
      replayed.push(id);
      return true;
    },
  };
  return { letters, replayed };
}

async function run(args: string[], letters: DeadLetters) {
  const said: string[] = [];
  const exitCode = await perform(readArguments(args), letters, (text) => said.push(text));
  return { exitCode, said: said.join('\n') };
}

describe('npm run dlq', () => {
  test.each([[], ['burn'], ['list', 'x'], ['replay'], ['replay', 'l1', '--all'], ['list', '--loud']])(
    'with %j says how it is used',
    (...args) => {
      expect(() => readArguments(args.flat())).toThrow(USAGE);
    },
  );

  test('lists whose they are, what they are, and why they failed', async () => {
    const { said } = await run(['list'], someLetters().letters);
    expect(said.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['id', 'kind', 'owner', 'what', 'failed', 'why'],
      ['l1', 'event', 'orders', 'payment.succeeded o1', '2026-05-01T12:00:00.000Z', 'Error: no such order'],
    ]);
    expect((await run(['list', '--owner', 'media'], someLetters().letters)).said).toBe(
      'There are no dead letters.',
    );
    expect(JSON.parse((await run(['list', '--json'], someLetters().letters)).said)).toEqual([letter]);
  });

  test('replays those that are named, or all, and says which are not there', async () => {
    const named = someLetters();
    expect(await run(['replay', 'l1', 'l2'], named.letters)).toEqual({
      exitCode: 1,
      said: 'l1 is on its way again.\nl2 is not there.',
    });
    expect(named.replayed).toEqual(['l1']);
    const all = someLetters([letter, { ...letter, id: 'l2' }]);
    expect((await run(['replay', '--all'], all.letters)).exitCode).toBe(0);
    expect(all.replayed).toEqual(['l1', 'l2']);
    expect((await run(['replay', '--all', '--owner', 'media'], all.letters)).said).toBe(
      'There are no dead letters.',
    );
  });
});
