import { expect, test } from '@jest/globals';
import { Writable } from 'node:stream';
import { openLogger } from './log.ts';
import { openReadinessCheck } from './readiness.ts';

function openKit() {
  const lines: { level: string; msg: string }[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  return { readiness: openReadinessCheck(openLogger('orders', 'info', output)), lines };
}

const answers = async () => undefined;
const fails = async () => Promise.reject(new Error('refused'));

test('names each engine that does not answer, once', async () => {
  const { readiness } = openKit();
  readiness.add({ engine: 'mongodb', check: fails });
  readiness.add({ engine: 'mongodb', check: fails });
  readiness.add({ engine: 'kafka', check: fails });
  readiness.add({ engine: 'minio', check: answers });
  expect(await readiness.ask()).toEqual(['kafka', 'mongodb']);
});

test('askers at the same time share an answer', async () => {
  const { readiness } = openKit();
  let asked = 0;
  readiness.add({ engine: 'kafka', check: async () => void asked++ });
  await Promise.all([readiness.ask(), readiness.ask()]);
  await readiness.ask();
  expect(asked).toBe(1);
});

test('the log tells when an engine goes away and when it is back, not every asking', async () => {
  const { readiness, lines } = openKit();
  let check = fails;
  readiness.add({ engine: 'kafka', check: () => check() });
  const askAnew = async () => {
    // Whatever is added makes the shared answer an old one.
    readiness.add({ engine: 'files', check: answers });
    return readiness.ask();
  };
  await askAnew();
  await askAnew();
  check = answers as typeof fails;
  expect(await askAnew()).toEqual([]);
  await askAnew();
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'kafka does not answer'],
    ['info', 'kafka answers again'],
  ]);
});
