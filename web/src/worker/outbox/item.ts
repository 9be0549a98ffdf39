import type { PhotoState } from '@arboleda/contracts/photo.ts';
import type { RequestBody } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';

/** What an item is about: an assignment, or a growth visit of one. */
export interface Occasion {
  kind: 'assignment' | 'visit';
  id: string;
}

export type ItemState =
  | { step: 'waiting' }
  | {
      step: 'sent';
      at: number;
      filename: string;
      again: boolean;
      isHandedOver: boolean;
      /** The server has made a picture of it: this phone needs none any more. */
      isSafe?: true;
    }
  /** Final: sending it again would change nothing. `type` is the problem's slug, `message` the server's own words. */
  | { step: 'refused'; type: string; message: string };

interface Base {
  /** Made once on the phone: the photo's clientId, the status change's Idempotency-Key. */
  id: string;
  workerId: string;
  occasion: Occasion;
  /** When it was made, ms; items of one occasion are sent in this order. */
  at: number;
  state: ItemState;
  /** How often it was sent in vain, when last, and when to try again. */
  attempts: number;
  triedAt: number;
  retryAt: number;
  /** Until then its place may still be found, ms. */
  placeUntil: number;
  /** This phone could not keep it: it lives as long as the page. */
  unkept?: true;
}

export type StatusBody = NonNullable<RequestBody<'PUT /api/workers/assignments/{id}/status'>>;

export interface StatusItem extends Base {
  kind: 'status';
  body: StatusBody;
}

export interface PhotoDetails {
  takenAt?: string;
  latitude?: number;
  longitude?: number;
  accuracyMetres?: number;
}

export interface PhotoItem extends Base {
  kind: 'photo';
  name: string;
  type: string;
  details: PhotoDetails;
  /** A small JPEG to show; absent when the phone cannot read the picture. */
  thumbnail?: ArrayBuffer;
}

export type Item = StatusItem | PhotoItem;

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 300_000;

/** 2 s, 4 s, 8 s … 5 min. */
export const pauseMs = (attempts: number): number =>
  Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_PAUSE_MS);

const laneOf = ({ occasion }: Item): string => `${occasion.kind} ${occasion.id}`;
const inOrder = (items: readonly Item[]): Item[] => [...items].sort((a, b) => a.at - b.at);

/** Work that was given to somebody else: photos of it are taken all the same, for an admin to look at. */
const TAKEN_AWAY = new Set(['assigned-to-another', 'conflict']);

const holdsUp = ({ kind, state }: Item): boolean =>
  kind === 'status' && state.step === 'refused' && !TAKEN_AWAY.has(state.type);

/**
 * Of each occasion only the first may go, and not while a step before it stands refused: photos of trees that the
 * server does not know to be planted would only be refused as well.
 */
function heads(items: readonly Item[]): Item[] {
  const closed = new Set<string>();
  return inOrder(items).filter((item) => {
    const lane = laneOf(item);
    if (item.state.step === 'sent' || closed.has(lane)) return false;
    if (item.state.step === 'refused') {
      if (holdsUp(item)) closed.add(lane);
      return false;
    }
    closed.add(lane);
    return true;
  });
}

/** Whether a refused step of the same occasion holds this one up. */
export const isHeldUp = (item: Item, items: readonly Item[]): boolean =>
  items.some((other) => holdsUp(other) && other.at < item.at && laneOf(other) === laneOf(item));

/** Longer than this nothing waits by itself: a server may ask for more than our own pauses. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * When an item may go, ms. Its moments are of this phone's clock, which may have been ahead then and put right since:
 * an attempt that lies in the future, or a wait beyond any that there is, says nothing.
 */
function dueAt({ triedAt, retryAt, placeUntil }: Item, { now, eagerSince }: Clocks): number {
  const isTrue = (moment: number) => moment <= now + LONGEST_WAIT_MS;
  const pauseUntil = triedAt < eagerSince || triedAt > now || !isTrue(retryAt) ? 0 : retryAt;
  return Math.max(pauseUntil, isTrue(placeUntil) ? placeUntil : 0);
}

interface Clocks {
  now: number;
  /** Something has happened then (signal, a person who looks): pauses from before it are over. */
  eagerSince: number;
}

/** What to send now, or when to look again. */
export function nextToSend(items: readonly Item[], clocks: Clocks): { item?: Item; wakeAt?: number } {
  const item = heads(items).find((head) => dueAt(head, clocks) <= clocks.now);
  if (item) return { item };
  const wakeAt = earliest(items, clocks.now);
  return wakeAt === undefined ? {} : { wakeAt };
}

/** When the first of those that may go is due; undefined when nothing waits. */
export function earliest(items: readonly Item[], now: number): number | undefined {
  const moments = heads(items).map((head) => dueAt(head, { now, eagerSince: 0 }));
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

/** Refusals that a later attempt may find gone. */
const PASSING = new Set(['too-many-requests', 'unknown', 'network', 'timeout', 'unavailable', 'internal']);

export type Failure = 'session-over' | 'no-signal' | 'passing' | 'refused';

/** What an attempt's failure means. A page of somebody's proxy is no refusal of ours. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiProblem)) return 'passing';
  if (error.status === 401) return 'session-over';
  if (error.status === 0) return 'no-signal';
  return error.status >= 500 || PASSING.has(error.type) ? 'passing' : 'refused';
}

/** The item after an attempt in vain. */
export function afterFailure(item: Item, error: unknown, now: number): Item {
  const failure = failureOf(error);
  if (failure === 'session-over') return item;
  if (failure === 'refused' && error instanceof ApiProblem) {
    const message = error.fields[0]?.message ?? error.message;
    return { ...item, state: { step: 'refused', type: error.type, message } };
  }
  const attempts = item.attempts + 1;
  const askedMs = error instanceof ApiProblem ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  const waitMs = Math.min(Math.max(pauseMs(attempts), askedMs), LONGEST_WAIT_MS);
  return { ...item, attempts, triedAt: now, retryAt: now + waitMs };
}

/** Sent, and nobody knows yet whether it can be shown. */
export const isUnsettled = ({ state }: Item): boolean => state.step === 'sent' && !state.isSafe;

/**
 * A photo that was sent, once the server has said what became of it.
 * @param found undefined when the server does not know it: it is sent again
 */
export function afterLook(item: Item, found: PhotoState | undefined): Item {
  const { state } = item;
  if (state.step !== 'sent') return item;
  if (found === 'ready') return { ...item, state: { ...state, isSafe: true } };
  if (found === 'unshowable') {
    return { ...item, state: { step: 'refused', type: 'photo-unshowable', message: '' } };
  }
  return found ? item : { ...item, state: { step: 'waiting' } };
}

/** Not with the server yet, and meant to be. */
export const isUnsent = ({ state }: Item): boolean => state.step === 'waiting';
/** What would be lost to nobody but must not be forgotten: unsent, or refused and not yet looked at. */
export const isOpen = ({ state }: Item): boolean => state.step !== 'sent';
export const isHandedOver = ({ state }: Item): boolean => state.step === 'sent' && state.isHandedOver;

export const belongsTo = (item: Item, { kind, id }: Occasion): boolean =>
  item.occasion.kind === kind && item.occasion.id === id;

export const isPhoto = (item: Item): item is PhotoItem => item.kind === 'photo';
export const isStatus = (item: Item): item is StatusItem => item.kind === 'status';
