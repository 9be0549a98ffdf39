import { expect, test } from '@jest/globals';
import { ApiProblem } from '../../api/problem.ts';
import { photoItem, statusItem } from '../../testing/outbox.ts';
import { afterFailure, failureOf, type Item, isHeldUp, nextToSend, pauseMs } from './item.ts';

const NOW = 1_000_000;
const next = (items: Item[], eagerSince = 0) => nextToSend(items, { now: NOW, eagerSince });
const problem = (type: string, status: number) => new ApiProblem({ type, status, title: type });

test('of one order the step goes before its photos, and they in the order in which they were taken', () => {
  const step = statusItem({ id: 'step', at: 1 });
  const [first, second] = [photoItem({ id: 'first', at: 2 }), photoItem({ id: 'second', at: 3 })];
  expect(next([second, first, step]).item).toBe(step);
  expect(next([second, first]).item).toBe(first);
});

test('while one waits for its next attempt, its followers wait and other orders go on', () => {
  const late = statusItem({ id: 'late', at: 1, retryAt: NOW + 5_000 });
  const follower = photoItem({ id: 'follower', at: 2 });
  const other = photoItem({ id: 'other', at: 3, occasion: { kind: 'visit', id: 'v1' } });
  expect(next([late, follower, other]).item).toBe(other);
  expect(next([late, follower])).toEqual({ wakeAt: NOW + 5_000 });
});

test('what has happened since the last attempt ends the pause', () => {
  const item = photoItem({ triedAt: NOW - 100, retryAt: NOW + 60_000 });
  expect(next([item], NOW - 50).item).toBe(item);
  expect(next([item], NOW - 200).item).toBeUndefined();
});

test('a photo waits for its place, eager or not', () => {
  expect(next([photoItem({ placeUntil: NOW + 9_000 })], NOW)).toEqual({ wakeAt: NOW + 9_000 });
});

test('behind a refused step photos are held up, not refused as well', () => {
  const refused = statusItem({ at: 1, state: { step: 'refused', type: 'conflict', message: '' } });
  const photo = photoItem({ at: 2 });
  expect(next([refused, photo])).toEqual({});
  expect(isHeldUp(photo, [refused, photo])).toBe(true);
  expect(isHeldUp(photo, [photo])).toBe(false);
});

test('a refused photo holds nothing up', () => {
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

test('pauses grow up to five minutes, and the server may ask for more', () => {
  expect([1, 2, 3, 4].map(pauseMs)).toEqual([2_000, 4_000, 8_000, 16_000]);
  expect(pauseMs(50)).toBe(300_000);
  const busy = new ApiProblem({ type: 'unavailable', status: 503, title: '', retryAfterSeconds: 60 });
  expect(afterFailure(photoItem(), busy, NOW)).toMatchObject({
    attempts: 1,
    triedAt: NOW,
    retryAt: NOW + 60_000,
  });
});

test('a refusal is final and keeps its reason; a session that ended changes nothing', () => {
  expect(afterFailure(photoItem(), problem('photo-damaged', 422), NOW).state).toEqual({
    step: 'refused',
    type: 'photo-damaged',
    message: 'photo-damaged',
  });
  const item = photoItem();
  expect(afterFailure(item, problem('unauthenticated', 401), NOW)).toBe(item);
});
