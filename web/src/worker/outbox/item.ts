import type { PhotoState } from '@arboleda/contracts/photo.ts';
import type { RequestBody } from '../../api/client.ts';
import { ApiProblem } from '../../api/problem.ts';

/** Subject of an item: an assignment, or one of its growth visits. */
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
      /** The server has a rendition, so the local file can go. */
      isSafe?: true;
    }
  /** Final: a retry would not help. `type` is the problem's slug, `message` the server's text. */
  | { step: 'refused'; type: string; message: string };

interface Base {
  /** Generated on the phone: the photo's clientId, the status change's Idempotency-Key. */
  id: string;
  workerId: string;
  occasion: Occasion;
  /** Creation time, ms; items of one occasion are sent in this order. */
  at: number;
  state: ItemState;
  /** Failed attempts, time of the last one, and earliest retry. */
  attempts: number;
  triedAt: number;
  retryAt: number;
  /** Not sent before, ms: the GPS may still find a photo’s place, or the worker may undo a step. */
  heldUntil: number;
  /** Could not be stored, so it lasts as long as the page. */
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
  /** Small JPEG for display; absent when the phone cannot decode the picture. */
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

/** Refusals of reassigned work; its steps and photos go to an admin. */
const TAKEN_AWAY = new Set(['assigned-to-another', 'conflict']);
export const isTakenAway = (state: ItemState): boolean =>
  state.step === 'refused' && TAKEN_AWAY.has(state.type);

const blocks = ({ kind, state }: Item): boolean =>
  kind === 'status' && state.step === 'refused' && !isTakenAway(state);

/**
 * Only the first item of each occasion may be sent, and none after a refused step: photos of trees not yet planted
 * would be refused too.
 */
function firstOfEachOccasion(items: readonly Item[]): Item[] {
  const closed = new Set<string>();
  return inOrder(items).filter((item) => {
    const lane = laneOf(item);
    if (item.state.step === 'sent' || closed.has(lane)) return false;
    if (item.state.step === 'refused') {
      if (blocks(item)) closed.add(lane);
      return false;
    }
    closed.add(lane);
    return true;
  });
}

/** Time in which a saved step can be undone before it is sent, ms. */
export const UNDO_MS = 8_000;

/** Whether a step may still be undone before it is sent. */
export const isHeld = ({ state, heldUntil }: Item, now: number): boolean =>
  state.step === 'waiting' && heldUntil > now;

/** Whether a refused step of the same occasion blocks this item. */
export const isBlocked = (item: Item, items: readonly Item[]): boolean =>
  items.some((other) => blocks(other) && other.at < item.at && laneOf(other) === laneOf(item));

/** Upper bound of automatic waits, since a server may ask for longer ones. */
const LONGEST_WAIT_MS = 3_600_000;

/**
 * When an item may be sent, ms. Ignores times that only a clock once set ahead can explain: attempts in the future and
 * waits beyond the maximum.
 */
function dueAt({ triedAt, retryAt, heldUntil }: Item, { now, eagerSince }: Clocks): number {
  const isPlausible = (moment: number) => moment <= now + LONGEST_WAIT_MS;
  const pauseUntil = triedAt < eagerSince || triedAt > now || !isPlausible(retryAt) ? 0 : retryAt;
  return Math.max(pauseUntil, isPlausible(heldUntil) ? heldUntil : 0);
}

interface Clocks {
  now: number;
  /** Network or user activity at this time ends earlier pauses. */
  eagerSince: number;
}

/** The item to send now, or the time to look again. */
export function nextToSend(items: readonly Item[], clocks: Clocks): { item?: Item; wakeAt?: number } {
  const item = firstOfEachOccasion(items).find((head) => dueAt(head, clocks) <= clocks.now);
  if (item) return { item };
  const wakeAt = earliest(items, clocks.now);
  return wakeAt === undefined ? {} : { wakeAt };
}

/** When the first item is due; undefined when nothing waits. */
export function earliest(items: readonly Item[], now: number): number | undefined {
  const moments = firstOfEachOccasion(items).map((head) => dueAt(head, { now, eagerSince: 0 }));
  return moments.length > 0 ? Math.min(...moments) : undefined;
}

/** Temporary refusals, which a retry may overcome. */
const PASSING = new Set(['too-many-requests', 'unknown', 'network', 'timeout', 'unavailable', 'internal']);

export type Failure = 'session-over' | 'no-signal' | 'passing' | 'refused';

/** Classifies a failure. An HTML page of a proxy is no refusal of the product. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof ApiProblem)) return 'passing';
  if (error.status === 401) return 'session-over';
  if (error.status === 0) return 'no-signal';
  return error.status >= 500 || PASSING.has(error.type) ? 'passing' : 'refused';
}

/** The item after a failed attempt. */
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

/** Sent, but not yet known to be showable. */
export const isUnsettled = ({ state }: Item): boolean => state.step === 'sent' && !state.isSafe;

/**
 * Applies the server's state to a sent photo.
 * @param found undefined when the server does not know it, so it is sent again
 */
export function applyServerState(item: Item, found: PhotoState | undefined): Item {
  const { state } = item;
  if (state.step !== 'sent') return item;
  if (found === 'ready') return { ...item, state: { ...state, isSafe: true } };
  if (found === 'unshowable') {
    return { ...item, state: { step: 'refused', type: 'photo-unshowable', message: '' } };
  }
  return found ? item : { ...item, state: { step: 'waiting' } };
}

export const isUnsent = ({ state }: Item): boolean => state.step === 'waiting';
/** Needs attention: unsent, or refused and not dismissed. */
export const isOpen = ({ state }: Item): boolean => state.step !== 'sent';
export const isHandedOver = ({ state }: Item): boolean => state.step === 'sent' && state.isHandedOver;

export const belongsTo = (item: Item, { kind, id }: Occasion): boolean =>
  item.occasion.kind === kind && item.occasion.id === id;

export const isPhoto = (item: Item): item is PhotoItem => item.kind === 'photo';
export const isStatus = (item: Item): item is StatusItem => item.kind === 'status';
