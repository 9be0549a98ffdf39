import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { impatient, openPatience } from './patience.ts';

const logger = pino({ level: 'silent' });
const away = () => Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });

test('an engine that is away is tried again, and named meanwhile', async () => {
  const patience = openPatience(logger);
  let tries = 0;
  const seen: string[][] = [];
  const opened = await patience.open('kafka', async () => {
    seen.push(patience.waitingFor());
    if (++tries < 3) throw away();
    return 'open';
  });
  expect(opened).toBe('open');
  expect(seen).toEqual([['kafka'], ['kafka'], ['kafka']]);
  expect(patience.waitingFor()).toEqual([]);
});

test('what is wrong in another way is not tried again', async () => {
  const patience = openPatience(logger);
  let tries = 0;
  const opening = patience.open('postgres', async () => {
    tries++;
    throw new Error('migration 001 has changed');
  });
  await expect(opening).rejects.toThrow('migration 001');
  expect(tries).toBe(1);
  expect(patience.waitingFor()).toEqual([]);
});

test('without patience the first answer counts', async () => {
  await expect(impatient.open('kafka', async () => Promise.reject(away()))).rejects.toThrow('refused');
});
