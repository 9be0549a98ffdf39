import { beforeEach, describe, expect, test } from '@jest/globals';
import { ApiProblem } from '../../api/problem.ts';
import { emptyIndexedDB } from '../../test/indexed-db.ts';
import { photoItem, statusItem } from '../../test/outbox.ts';
import { databaseStore, openWorkerDatabase } from './database.ts';
import { drain, type Receipt, type Send } from './drain.ts';
import {
  afterFailure,
  applyServerState,
  failureOf,
  isBlocked,
  type Item,
  nextToSend,
  pauseMs,
} from './item.ts';
import { memoryStore, type Store, storeWithFallback } from './store.ts';

describe('drain', () => {
  const FILE = new ArrayBuffer(4);

  const lost = new ApiProblem({ type: 'network', status: 0, title: '' });

  const damaged = new ApiProblem({ type: 'photo-damaged', status: 422, title: '' });

  const over = new ApiProblem({ type: 'unauthenticated', status: 401, title: '' });

  /** A store with these items, and scripted server answers: a failure, or success. */
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
        : { kind: 'photo', filename: `${item.id}.jpg`, duplicate: item.attempts > 0, isHandedOver: false };
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
        shouldContinue: () => isLoggedIn,
        onReceipt: (_item, receipt) => void receipts.push(receipt),
        onSessionOver: () => (sessionsOver += 1),
      });
    return {
      store,
      sent,
      run,
      receipts,
      logOut: () => (isLoggedIn = false),
      sessionsOver: () => sessionsOver,
    };
  }

  const steps = async (store: ReturnType<typeof memoryStore>) =>
    (await store.list('w1')).map(({ id, state }) => [id, state.step]);

  test('deletes a step after sending, and keeps a photo with its file', async () => {
    const { store, sent, run } = await setUp([statusItem({ at: 1 }), photoItem({ at: 2 })]);
    expect(await run()).toBeUndefined();
    expect(sent).toEqual(['step-1', 'photo-1']);
    expect(await steps(store)).toEqual([['photo-1', 'sent']]);
    expect(await store.file('photo-1')).toBe(FILE);
  });

  test('stops offline and returns the time to look again', async () => {
    const other = photoItem({ id: 'other', at: 2, occasion: { kind: 'visit', id: 'v1' } });
    const { store, sent, run } = await setUp([photoItem({ at: 1 }), other], [lost]);
    expect(await run()).toBe(0);
    expect(sent).toEqual(['photo-1']);
    expect(await steps(store)).toEqual([
      ['photo-1', 'waiting'],
      ['other', 'waiting'],
    ]);
  });

  test('times written by a clock that was ahead block nothing', async () => {
    const ahead = 400 * 24 * 3_600_000;
    const tried = photoItem({ id: 'tried', attempts: 3, triedAt: ahead, retryAt: ahead + 8_000 });
    const placed = photoItem({ id: 'placed', heldUntil: ahead, occasion: { kind: 'visit', id: 'v1' } });
    const { sent, run } = await setUp([tried, placed]);
    expect(await run()).toBeUndefined();
    expect(sent.toSorted()).toEqual(['placed', 'tried']);
  });

  test('delays a photo by at most an hour, whatever the server asks', () => {
    const busy = new ApiProblem({ type: 'unavailable', status: 503, title: '', retryAfterSeconds: 1e9 });
    expect(afterFailure(photoItem(), busy, 1_000).retryAt).toBe(1_000 + 3_600_000);
  });

  test('announces no duplicate caused by a retry', async () => {
    const { store, run } = await setUp([photoItem({ attempts: 1 })]);
    await run();
    expect((await store.list('w1'))[0]!.state).toMatchObject({ step: 'sent', again: false });
  });

  test('keeps the reason of a refused photo and sends the next', async () => {
    const { store, run } = await setUp(
      [photoItem({ at: 1 }), photoItem({ id: 'photo-2', at: 2 })],
      [damaged],
    );
    await run();
    expect(await steps(store)).toEqual([
      ['photo-1', 'refused'],
      ['photo-2', 'sent'],
    ]);
  });

  test('keeps everything when the session ends, and tells the page', async () => {
    const { store, sent, run, sessionsOver } = await setUp(
      [photoItem({ at: 1 }), photoItem({ id: 'photo-2', at: 2 })],
      [over],
    );
    await run();
    expect(sent).toEqual(['photo-1']);
    expect(sessionsOver()).toBe(1);
    expect(await steps(store)).toEqual([
      ['photo-1', 'waiting'],
      ['photo-2', 'waiting'],
    ]);
  });

  test('sends nothing without a session, and never another worker’s items', async () => {
    const { sent, run, logOut } = await setUp([photoItem({ workerId: 'w2' })]);
    await run();
    logOut();
    await run();
    expect(sent).toEqual([]);
  });

  test('an item deleted during sending stays deleted', async () => {
    const { store, run } = await setUp([photoItem()]);
    const running = run();
    await store.remove('photo-1');
    await running;
    expect(await store.list('w1')).toEqual([]);
  });
});

const NOW = 1_000_000;

const next = (items: Item[], eagerSince = 0) => nextToSend(items, { now: NOW, eagerSince });

const problem = (type: string, status: number) => new ApiProblem({ type, status, title: type });

test('sends a step before its order’s photos, and photos in the order taken', () => {
  const step = statusItem({ id: 'step', at: 1 });
  const [first, second] = [photoItem({ id: 'first', at: 2 }), photoItem({ id: 'second', at: 3 })];
  expect(next([second, first, step]).item).toBe(step);
  expect(next([second, first]).item).toBe(first);
});

test('while one item waits to retry, its followers wait and other orders continue', () => {
  const late = statusItem({ id: 'late', at: 1, retryAt: NOW + 5_000 });
  const follower = photoItem({ id: 'follower', at: 2 });
  const other = photoItem({ id: 'other', at: 3, occasion: { kind: 'visit', id: 'v1' } });
  expect(next([late, follower, other]).item).toBe(other);
  expect(next([late, follower])).toEqual({ wakeAt: NOW + 5_000 });
});

test('activity since the last attempt ends the pause', () => {
  const item = photoItem({ triedAt: NOW - 100, retryAt: NOW + 60_000 });
  expect(next([item], NOW - 50).item).toBe(item);
  expect(next([item], NOW - 200).item).toBeUndefined();
});

test('a photo waits for its place in any case', () => {
  expect(next([photoItem({ heldUntil: NOW + 9_000 })], NOW)).toEqual({ wakeAt: NOW + 9_000 });
});

test('a refused step blocks its photos instead of failing them', () => {
  const refused = statusItem({
    at: 1,
    state: { step: 'refused', type: 'transition-not-allowed', message: '' },
  });
  const photo = photoItem({ at: 2 });
  expect(next([refused, photo])).toEqual({});
  expect(isBlocked(photo, [refused, photo])).toBe(true);
  expect(isBlocked(photo, [photo])).toBe(false);
});

test.each(['assigned-to-another', 'conflict'])(
  'photos of work that was taken away are sent all the same: %s',
  (type) => {
    const refused = statusItem({ at: 1, state: { step: 'refused', type, message: '' } });
    const photo = photoItem({ at: 2 });
    expect(next([refused, photo]).item).toBe(photo);
    expect(isBlocked(photo, [refused, photo])).toBe(false);
  },
);

test('the server’s state of a sent photo decides what happens to it', () => {
  const sent = photoItem({
    state: { step: 'sent', at: 1, filename: 'p.jpg', again: false, isHandedOver: false },
  });
  expect(applyServerState(sent, 'accepted')).toBe(sent);
  expect(applyServerState(sent, 'ready').state).toMatchObject({ step: 'sent', isSafe: true });
  expect(applyServerState(sent, 'unshowable').state).toMatchObject({
    step: 'refused',
    type: 'photo-unshowable',
  });
  expect(applyServerState(sent, undefined).state).toEqual({ step: 'waiting' });
  const waiting = photoItem();
  expect(applyServerState(waiting, 'ready')).toBe(waiting);
});

test('a refused photo blocks nothing', () => {
  const refused = photoItem({
    id: 'a',
    at: 1,
    state: { step: 'refused', type: 'photo-damaged', message: '' },
  });
  const good = photoItem({ id: 'b', at: 2 });
  expect(next([refused, good]).item).toBe(good);
});

test.each([
  ['no answer', problem('network', 0), 'no-signal'],
  ['a session that ended', problem('unauthenticated', 401), 'session-over'],
  ['a busy server', problem('unavailable', 503), 'passing'],
  ['too many at once', problem('too-many-requests', 429), 'passing'],
  ['a page of somebody’s proxy', problem('unknown', 403), 'passing'],
  ['an answer that cannot be read', new TypeError('photos is undefined'), 'passing'],
  ['a damaged photo', problem('photo-damaged', 422), 'refused'],
  ['somebody else’s order', problem('assigned-to-another', 409), 'refused'],
])('%s', (_what, error, failure) => {
  expect(failureOf(error)).toBe(failure);
});

test('pauses grow to five minutes, and the server may ask for more', () => {
  expect([1, 2, 3, 4].map(pauseMs)).toEqual([2_000, 4_000, 8_000, 16_000]);
  expect(pauseMs(50)).toBe(300_000);
  const busy = new ApiProblem({ type: 'unavailable', status: 503, title: '', retryAfterSeconds: 60 });
  expect(afterFailure(photoItem(), busy, NOW)).toMatchObject({
    attempts: 1,
    triedAt: NOW,
    retryAt: NOW + 60_000,
  });
});

test('a refusal is final and keeps its reason; an ended session changes nothing', () => {
  expect(afterFailure(photoItem(), problem('photo-damaged', 422), NOW).state).toEqual({
    step: 'refused',
    type: 'photo-damaged',
    message: 'photo-damaged',
  });
  const item = photoItem();
  expect(afterFailure(item, problem('unauthenticated', 401), NOW)).toBe(item);
});

describe('store', () => {
  beforeEach(() => {
    emptyIndexedDB();
  });

  const open = async () => databaseStore(await openWorkerDatabase());

  const FILE = new Uint8Array([1, 2, 3]).buffer;

  test('items and their files survive closing the page', async () => {
    await (await open()).add(photoItem(), FILE);
    const later = await open();
    expect(await later.list('w1')).toEqual([photoItem()]);
    expect(new Uint8Array((await later.file('photo-1'))!)).toEqual(new Uint8Array([1, 2, 3]));
  });

  test('each worker sees only their own items', async () => {
    const store = await open();
    await store.add(photoItem(), FILE);
    expect(await store.list('w2')).toEqual([]);
  });

  test('changing a deleted item does not restore it', async () => {
    const store = await open();
    await store.add(photoItem(), FILE);
    await store.remove('photo-1');
    await store.change('photo-1', (item) => item);
    expect(await store.list('w1')).toEqual([]);
    expect(await store.file('photo-1')).toBeUndefined();
  });

  test('on a full phone a new photo stays in the page, marked, beside stored ones', async () => {
    const kept = await open();
    await kept.add(photoItem({ id: 'before', at: 1 }), FILE);
    const full: Store = {
      ...kept,
      add: () => Promise.reject(new DOMException('full', 'QuotaExceededError')),
    };
    const store = storeWithFallback(Promise.resolve(full));
    await store.add(photoItem({ id: 'after', at: 2 }), FILE);
    expect((await store.list('w1')).map(({ id, unkept }) => [id, unkept])).toEqual([
      ['before', undefined],
      ['after', true],
    ]);
    await store.change('after', (item) => ({ ...item, attempts: 3 }));
    expect((await store.list('w1'))[1]).toMatchObject({ attempts: 3 });
    await store.remove('after');
    expect(await store.list('w1')).toHaveLength(1);
  });

  test('without storage everything stays in the page', async () => {
    const store = storeWithFallback(Promise.resolve(undefined));
    await store.add(photoItem(), FILE);
    expect(await store.list('w1')).toEqual([{ ...photoItem(), unkept: true }]);
    expect(await store.file('photo-1')).toBe(FILE);
  });

  test('a phone that fills up keeps sending stored items, which wait again after a reload', async () => {
    const kept = await open();
    await kept.add(photoItem(), FILE);
    const full: Store = {
      ...kept,
      change: async (id, change) => {
        const [item] = await kept.list('w1');
        change(item!);
        throw new DOMException('full', 'QuotaExceededError');
      },
    };
    const store = storeWithFallback(Promise.resolve(full));
    await store.change('photo-1', (item) => ({ ...item, attempts: item.attempts + 1 }));
    await store.change('photo-1', (item) => ({ ...item, attempts: item.attempts + 1 }));
    expect(await store.list('w1')).toEqual([photoItem({ attempts: 2 })]);
    await store.dropFile('photo-1');
    const reopened = storeWithFallback(open());
    expect(await reopened.list('w1')).toEqual([photoItem()]);
    expect((await reopened.file('photo-1'))?.byteLength).toBe(3);
    await store.remove('photo-1');
    expect(await store.list('w1')).toEqual([]);
  });
});
