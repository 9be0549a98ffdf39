import { expect, test } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { openCourtesy } from './courtesy.ts';

const MOST_MS = 200;

/** Notes when it may go on. */
function waiter(courtesy: ReturnType<typeof openCourtesy>, sinceMs = performance.now()) {
  const seen = { isOn: false, on: courtesy.afterOthers(sinceMs) };
  void seen.on.then(() => (seen.isOn = true));
  return seen;
}
const someTurns = async () => {
  for (let n = 0; n < 5; n++) await turn();
};

test('with nobody to wait for, everything goes on at once', async () => {
  const courtesy = openCourtesy(MOST_MS);
  await courtesy.afterOthers(performance.now());
});

test('what nobody waits for begins when the last one who is waited for is done', async () => {
  const courtesy = openCourtesy(60_000);
  const ends = [courtesy.begin(), courtesy.begin()];
  const mail = waiter(courtesy);
  ends[0]!();
  ends[0]!();
  await someTurns();
  expect(mail.isOn).toBe(false);
  ends[1]!();
  await mail.on;
  courtesy.close();
});

test('one after another, so that somebody who comes meanwhile is before the next', async () => {
  const courtesy = openCourtesy(60_000);
  const end = courtesy.begin();
  const mails = [waiter(courtesy), waiter(courtesy)];
  let endOfNext: (() => void) | undefined;
  void mails[0]!.on.then(() => (endOfNext = courtesy.begin()));
  end();
  await mails[0]!.on;
  await someTurns();
  expect(mails[1]!.isOn).toBe(false);
  endOfNext!();
  await mails[1]!.on;
});

test('however many are waited for, nothing waits for ever, and what is late already not at all', async () => {
  const courtesy = openCourtesy(MOST_MS);
  courtesy.begin();
  const since = performance.now();
  await courtesy.afterOthers(since - MOST_MS);
  expect(performance.now() - since).toBeLessThan(MOST_MS);
  await courtesy.afterOthers(since);
  // Timers may be a millisecond early.
  expect(performance.now() - since).toBeGreaterThan(MOST_MS - 2);
});

test('closing lets all go on', async () => {
  const courtesy = openCourtesy(60_000);
  courtesy.begin();
  const mails = [waiter(courtesy), waiter(courtesy)];
  courtesy.close();
  await Promise.all(mails.map(({ on }) => on));
  await courtesy.afterOthers(performance.now());
});
