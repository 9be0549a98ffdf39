import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { gate } from './testing/gate.ts';
import { waitFor } from './testing/wait.ts';
import { repeat } from './repeat.ts';

const logger = pino({ level: 'silent' });

test('goes on after a failure, one turn at a time', async () => {
  let turns = 0;
  let running = 0;
  let most = 0;
  const repeated = repeat(
    1,
    async () => {
      most = Math.max(most, ++running);
      turns++;
      await Promise.resolve();
      running--;
      if (turns === 2) throw new Error('this once');
    },
    logger,
    'testing',
  );
  await waitFor(() => turns >= 5);
  await repeated.stop();
  expect(most).toBe(1);
});

test('stopping waits for the turn in hand, after which there is none', async () => {
  const working = gate();
  let finished = 0;
  const repeated = repeat(
    1,
    async () => {
      await working.opened;
      finished++;
    },
    logger,
    'testing',
  );
  const stopping = repeated.stop().then(() => finished);
  working.open();
  expect(await stopping).toBe(1);
  await waitFor(() => new Promise<true>((resolve) => setImmediate(() => resolve(true))));
  expect(finished).toBe(1);
});
