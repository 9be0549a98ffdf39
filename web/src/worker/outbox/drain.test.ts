import { expect, test } from '@jest/globals';
import { ApiProblem } from '../../api/problem.ts';
import { photoItem, statusItem } from '../../testing/outbox.ts';
import { drain, type Receipt, type Send } from './drain.ts';
import type { Item } from './item.ts';
import { memoryStore } from './store.ts';

const FILE = new ArrayBuffer(4);
const lost = new ApiProblem({ type: 'network', status: 0, title: '' });
const damaged = new ApiProblem({ type: 'photo-damaged', status: 422, title: '' });
const over = new ApiProblem({ type: 'unauthenticated', status: 401, title: '' });

/** A store with these items, and a server that answers by turns: a failure, or what it keeps. */
async function setUp(items: Item[], answers: (Error | 'kept')[] = []) {
  const store = memoryStore();
  for (const item of items) await store.add(item, item.kind === 'photo' ? FILE : undefined);
  const sent: string[] = [];
  const send: Send = async (item) => {
    sent.push(item.id);
    const answer = answers.shift() ?? 'kept';
    if (answer instanceof Error) throw answer;
    return item.kind === 'status'
      ? { kind: 'status', assignment: {} }
      : { kind: 'photo', filename: `${item.id}.jpg`, duplicate: item.attempts > 0 };
  };
  let isLoggedIn = true;
  let sessionsOver = 0;
  const receipts: Receipt[] = [];
  const run = () =>
    drain({
      store,
      workerId: 'w1',
      send,
      clock: () => 1_000,
      eagerSince: () => 0,
      mayGoOn: () => isLoggedIn,
      onReceipt: (_item, receipt) => void receipts.push(receipt),
      onSessionOver: () => (sessionsOver += 1),
    });
  return { store, sent, run, receipts, logOut: () => (isLoggedIn = false), sessionsOver: () => sessionsOver };
}

const steps = async (store: ReturnType<typeof memoryStore>) =>
  (await store.list('w1')).map(({ id, state }) => [id, state.step]);

test('a step is forgotten when the server has it; a photo stays to be shown, without its file', async () => {
  const { store, sent, run } = await setUp([statusItem({ at: 1 }), photoItem({ at: 2 })]);
  expect(await run()).toBeUndefined();
  expect(sent).toEqual(['step-1', 'photo-1']);
  expect(await steps(store)).toEqual([['photo-1', 'sent']]);
  expect(await store.file('photo-1')).toBeUndefined();
});

test('without signal it stops at once and says when to look again', async () => {
  const other = photoItem({ id: 'other', at: 2, occasion: { kind: 'visit', id: 'v1' } });
  const { store, sent, run } = await setUp([photoItem({ at: 1 }), other], [lost]);
  expect(await run()).toBe(0);
  expect(sent).toEqual(['photo-1']);
  expect(await steps(store)).toEqual([['photo-1', 'waiting'], ['other', 'waiting']]); // prettier-ignore
});

test('sent again because the answer was lost is no news to anybody', async () => {
  const { store, run } = await setUp([photoItem({ attempts: 1 })]);
  await run();
  expect((await store.list('w1'))[0]!.state).toMatchObject({ step: 'sent', again: false });
});

test('a refused photo keeps its reason and the next one goes', async () => {
  const { store, run } = await setUp([photoItem({ at: 1 }), photoItem({ id: 'photo-2', at: 2 })], [damaged]);
  await run();
  expect(await steps(store)).toEqual([['photo-1', 'refused'], ['photo-2', 'sent']]); // prettier-ignore
});

test('when the session is over everything stays as it is, and the page hears of it', async () => {
  const { store, sent, run, sessionsOver } = await setUp(
    [photoItem({ at: 1 }), photoItem({ id: 'photo-2', at: 2 })],
    [over],
  );
  await run();
  expect(sent).toEqual(['photo-1']);
  expect(sessionsOver()).toBe(1);
  expect(await steps(store)).toEqual([['photo-1', 'waiting'], ['photo-2', 'waiting']]); // prettier-ignore
});

test('nothing is sent for somebody who is not logged in, and never what another worker left', async () => {
  const { sent, run, logOut } = await setUp([photoItem({ workerId: 'w2' })]);
  await run();
  logOut();
  await run();
  expect(sent).toEqual([]);
});

test('what is taken away while it is sent stays away', async () => {
  const { store, run } = await setUp([photoItem()]);
  const running = run();
  await store.remove('photo-1');
  await running;
  expect(await store.list('w1')).toEqual([]);
});
