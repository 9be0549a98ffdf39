import { workerMayMove } from '@arboleda/contracts/order.ts';
import { expect, test } from '@jest/globals';
import { assignment, STATS, visit } from '../test/fixtures.ts';
import { jpegWithExif } from '../test/pictures.ts';
import { photoItem, statusItem } from '../test/outbox.ts';
import { detailsOf, lacksPlace, nextMoment, readExif } from './photos/queue-photos.ts';
import { rowStateOf } from './PhotoRow.tsx';
import { currentFix, currentPlace, locate, type Locating, readTyped } from './place/place.ts';
import { mayUndo } from './saved-step.tsx';
import { arrange, nextStep, takesVisitPhotos, withSteps, withStepsInStats } from './tasks.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');

const first = assignment({ _id: 'first' });

const second = assignment({ _id: 'second', status: 'planted' });

const closed = assignment({ _id: 'closed', status: 'completed' });

const task = (one: typeof first) => ({ kind: 'assignment', assignment: one });

test('offers only steps a worker may take, and none after the last', () => {
  for (const status of ['assigned', 'planted'] as const)
    expect(workerMayMove(status, nextStep({ status })!)).toBe(true);
  expect(nextStep({ status: 'completed' })).toBeUndefined();
  expect(nextStep({ status: 'pending' })).toBeUndefined();
});

test('the first open task is current, completed ones come last', () => {
  expect(arrange([first, second, closed], [], { now: NOW })).toEqual({
    now: task(first),
    later: [task(second)],
    scheduled: [],
    done: [task(closed)],
  });
});

test('the task in progress stays current until completed', () => {
  expect(arrange([first, second, closed], [], { id: 'second', now: NOW }).now).toEqual(task(second));
  expect(arrange([first, second, closed], [], { id: 'closed', now: NOW }).now).toEqual(task(first));
  const undoable = new Set(['closed']);
  expect(arrange([first, second, closed], [], { id: 'closed', now: NOW, undoable }).now).toEqual(
    task(closed),
  );
});

test('due growth visits follow plantings; later ones are listed by date', () => {
  const due = visit({ _id: 'due' });
  const far = visit({ _id: 'far', state: 'scheduled', dueAt: '2027-03-15T12:00:00Z' });
  const arranged = arrange([first], [due, far], { now: NOW });
  expect(arranged.now).toEqual(task(first));
  expect(arranged.later).toEqual([{ kind: 'visit', visit: due }]);
  expect(arranged.scheduled).toEqual([far]);
});

test('a visit accepts photos from two weeks before its day', () => {
  const on = (dueAt: string) => takesVisitPhotos(visit({ state: 'scheduled', dueAt }), NOW);
  expect(on('2026-12-15T12:00:00Z')).toBe(true);
  expect(on('2026-12-15T12:00:01Z')).toBe(false);
});

test('a waiting step counts as done, with its place and in the tiles', () => {
  const place = { latitude: 4.6, longitude: -75.4 };
  const step = statusItem({
    at: NOW,
    body: { status: 'planted', coordinates: place, location: 'Behind the barn' },
  });
  expect(withSteps(assignment(), [step])).toMatchObject({
    status: 'planted',
    plantedAt: '2026-12-01T12:00:00.000Z',
    coordinates: place,
    location: 'Behind the barn',
  });
  expect(withStepsInStats({ assignments: [assignment()], stats: STATS }, [step])).toEqual({
    ...STATS,
    pendingAssignments: 1,
    treesPlanted: 417,
  });
});

test('a refused step, or one the server already has, changes nothing', () => {
  const refused = statusItem({ state: { step: 'refused', type: 'conflict', message: '' } });
  expect(withSteps(assignment(), [refused])).toEqual(assignment());
  const planted = assignment({ status: 'planted' });
  expect(withSteps(planted, [statusItem()])).toBe(planted);
});

test('a waiting step can be undone unless items depend on it', () => {
  const step = statusItem({ at: 1 });
  const next = statusItem({ id: 'step-2', at: 2, body: { status: 'completed' } });
  expect(mayUndo(step, [step], undefined)).toBe(true);
  expect(mayUndo(step, [step], step.id)).toBe(false);
  expect(mayUndo(step, [step, next], undefined)).toBe(false);
  expect(mayUndo(next, [step, next], undefined)).toBe(true);
});

const SALENTO = { latitude: [4, 38, 13.97], latitudeRef: 'N', longitude: [75, 29, 13.31], longitudeRef: 'W' };

test.each([true, false])('reads place and time in both byte orders (little: %s)', (little) => {
  const file = jpegWithExif({ ...SALENTO, takenAt: '2026:11:30 09:51:12', offset: '-05:00' }, little);
  expect(readExif(file, new Date(NOW))).toEqual({
    takenAt: '2026-11-30T14:51:12.000Z',
    latitude: 4.637214,
    longitude: -75.487031,
  });
});

test('a time without a zone is Colombian', () => {
  const file = jpegWithExif({ takenAt: '2026:11:30 09:51:12' });
  expect(readExif(file, new Date(NOW))).toEqual({ takenAt: '2026-11-30T14:51:12.000Z' });
});

test('ignores the place a camera writes before it has a fix', () => {
  const nowhere = { latitude: [0, 0, 0], latitudeRef: 'N', longitude: [0, 0, 0], longitudeRef: 'E' };
  expect(readExif(jpegWithExif(nowhere), new Date(NOW))).toEqual({});
});

test('a damaged file, or no JPEG, loses only its details', () => {
  const file = jpegWithExif({ ...SALENTO, takenAt: '2026:11:30 09:51:12' });
  for (let length = 0; length < file.byteLength; length += 7) readExif(file.slice(0, length), new Date(NOW));
  expect(
    readExif(new TextEncoder().encode('not a photo at all').buffer as ArrayBuffer, new Date(NOW)),
  ).toEqual({});
});

const around = { items: [], sending: undefined, isOnline: true };

test('uses the phone’s place for a fresh photo without one, never for an old one', () => {
  expect(lacksPlace({}, NOW - 60_000, NOW)).toBe(true);
  expect(lacksPlace({}, NOW - 86_400_000, NOW)).toBe(false);
  expect(lacksPlace({ latitude: 4.6, longitude: -75.4 }, NOW, NOW)).toBe(false);
});

test('takes the time from EXIF, else from the file', () => {
  expect(detailsOf({ takenAt: '2026-11-30T14:51:12.000Z' }, NOW, NOW).takenAt).toBe(
    '2026-11-30T14:51:12.000Z',
  );
  expect(detailsOf({}, NOW - 1000, NOW).takenAt).toBe('2026-12-01T11:59:59.000Z');
  expect(detailsOf({}, NOW + 1000, NOW)).toEqual({});
});

test('timestamps never repeat', () => {
  const moments = Array.from({ length: 50 }, nextMoment);
  expect(new Set(moments).size).toBe(50);
});

test('a row says what its photo waits for', () => {
  const refused = statusItem({
    at: 0,
    state: { step: 'refused', type: 'transition-not-allowed', message: '' },
  });
  const waitsFor = (changes: object) => rowStateOf(photoItem(), { ...around, ...changes });
  expect(waitsFor({})).toEqual({ step: 'waiting', waitsFor: 'turn' });
  expect(waitsFor({ isOnline: false })).toEqual({ step: 'waiting', waitsFor: 'signal' });
  expect(waitsFor({ items: [refused] })).toEqual({ step: 'waiting', waitsFor: 'step' });
  expect(waitsFor({ sending: { id: 'photo-1', share: 0.4 } })).toEqual({ step: 'sending', share: 0.4 });
  expect(rowStateOf(photoItem({ attempts: 1 }), around)).toEqual({ step: 'failed' });
  expect(rowStateOf(photoItem({ heldUntil: Date.now() + 9_000 }), around)).toEqual({
    step: 'waiting',
    waitsFor: 'place',
  });
});

const fix = (accuracyMetres: number) => ({ latitude: 4.6, longitude: -75.4, accuracyMetres });

const searching: Locating = { step: 'searching' };

test('keeps a rough fix while waiting for a better one', () => {
  const rough = locate(searching, { type: 'fix', fix: fix(80) });
  expect(rough).toEqual({ step: 'searching', best: fix(80) });
  expect(locate(rough, { type: 'fix', fix: fix(200) })).toEqual(rough);
  expect(currentFix(rough)).toEqual(fix(80));
});

test('a good fix ends the search', () => {
  expect(locate(searching, { type: 'fix', fix: fix(8) })).toEqual({ step: 'found', fix: fix(8) });
});

test('after some seconds takes the best fix, or reports none', () => {
  expect(locate({ step: 'searching', best: fix(40) }, { type: 'timed-out' })).toEqual({
    step: 'found',
    fix: fix(40),
  });
  expect(locate(searching, { type: 'timed-out' })).toEqual({ step: 'failed', why: 'unavailable' });
});

test.each([
  ['nowhere', 0, 0],
  ['in Madrid', 40.4168, -3.7038],
])('ignores a fix located %s', (_place, latitude, longitude) => {
  const abroad = locate(searching, { type: 'fix', fix: { latitude, longitude, accuracyMetres: 3 } });
  expect(currentFix(abroad)).toBeUndefined();
  expect(locate(abroad, { type: 'timed-out' })).toEqual({ step: 'failed', why: 'abroad' });
  expect(locate(abroad, { type: 'problem', why: 'unavailable' })).toEqual({ step: 'failed', why: 'abroad' });
  expect(locate(abroad, { type: 'problem', why: 'denied' })).toEqual({ step: 'failed', why: 'denied' });
  const back = locate(abroad, { type: 'fix', fix: fix(40) });
  expect(locate(back, { type: 'timed-out' })).toEqual({ step: 'found', fix: fix(40) });
});

test.each([
  ['in Colombia', 4.637214, -75.487031, true],
  ['in Madrid', 40.4168, -3.7038, false],
])(
  'a photo takes the place of a phone that is %s: %d, %d, %s',
  async (_place, latitude, longitude, isTaken) => {
    const coords = { latitude, longitude, accuracy: 8 };
    const getCurrentPosition = (found: PositionCallback) => found({ coords } as GeolocationPosition);
    Object.defineProperty(navigator, 'geolocation', { configurable: true, value: { getCurrentPosition } });
    const place = await currentPlace(1000).catch(() => undefined);
    expect(place).toEqual(isTaken ? { latitude, longitude, accuracyMetres: 8 } : undefined);
  },
);

test('distinguishes missing permission from missing satellites', () => {
  expect(locate({ step: 'searching', best: fix(40) }, { type: 'problem', why: 'denied' })).toEqual({
    step: 'failed',
    why: 'denied',
  });
  expect(locate({ step: 'searching', best: fix(40) }, { type: 'problem', why: 'unavailable' }).step).toBe(
    'found',
  );
});

test('ignores events after the end, and can start again', () => {
  const found: Locating = { step: 'found', fix: fix(8) };
  expect(locate(found, { type: 'fix', fix: fix(3) })).toBe(found);
  expect(locate(found, { type: 'start' })).toEqual(searching);
});

test.each([
  ['4.637214', '-75.487031'],
  ['4,637214', '−75,487031'],
  [' 4.637214° ', '-75.487031°'],
])('accepts %s and %s as a place', (latitude, longitude) => {
  expect(readTyped({ latitude, longitude })).toEqual({
    kind: 'place',
    latitude: 4.637214,
    longitude: -75.487031,
  });
});

test.each([
  ['', '-75', 'latitude', 'missing'],
  ['4', '', 'longitude', 'missing'],
  ['north', '-75', 'latitude', 'number'],
  ['95', '-75', 'latitude', 'range'],
  ['4.6', '75.4', 'longitude', 'minus'],
  ['0', '0', 'latitude', 'zero'],
  ['4.6', '0,0', 'longitude', 'zero'],
  ['-75.487031', '4.637214', 'latitude', 'swapped'],
  ['75.487031', '4.637214', 'latitude', 'swapped'],
  ['40.4168', '-3.7038', 'latitude', 'outside'],
  ['4.6', '-58', 'longitude', 'outside'],
])('refuses %j and %j: %s, %s', (latitude, longitude, field, why) => {
  expect(readTyped({ latitude, longitude })).toEqual({ kind: 'wrong', field, why });
});

test('empty input is no place', () => {
  expect(readTyped({ latitude: ' ', longitude: '' })).toEqual({ kind: 'none' });
});
