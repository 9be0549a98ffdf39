import type { Api } from '@arboleda/contracts/api.ts';
import { type CallParts, requestOf } from '@arboleda/contracts/client.ts';
import { PHOTO_WIDTHS } from '@arboleda/contracts/photo.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { pictureForm } from '@arboleda/cli/demo/photos.ts';
import { withComment } from '../../driver/pictures.ts';
import { PASSWORD } from '../../harness/accounts.ts';
import { repeatedly } from '../../harness/wait.ts';
import { type Answered, answerOf } from '../answer.ts';
import type { Tested } from '../setup.ts';

export interface People {
  customers: readonly { email: string; token: string }[];
  workers: readonly string[];
  admin: string;
  photo: Uint8Array;
}

/** A request and its answer. */
export interface Made extends Answered {
  kind: string;
  /** When it was due, ms from the beginning of its phase. */
  at: number;
  /** From when it was due to the last byte of its answer. */
  ms: number;
  /** The status is right for a product that is not overloaded. */
  isExpected: boolean;
}

export interface Phase {
  made: Made[];
  /** From the card's charge to the visible order, ms; Infinity when it did not appear. */
  visibleMs: number[];
  /** Delay of this process in sending a request, ms. */
  lateMs: number[];
}

/** Answers that the stores must confirm afterwards. */
export interface Promises {
  /** Intents that the card provider has charged. */
  paid: string[];
  /** Photos that were accepted. */
  photos: string[];
}

const SEED = 20_261_122;
/** Longer than any deadline of the product. */
const ANSWER_WITHIN_MS = 30_000;
const VISIBLE_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 40;
/** Only this many recent orders and photos are requested. */
const RECENT = 500;
/** Orders of a worker that wait for a photo. Those beyond are completed without one. */
const UNPHOTOGRAPHED = 3;
/** Open event streams of each kind. */
const OPEN_PAGES = 8;
/** The reconnect delay that streams announce. */
const RECONNECT_MS = 2_000;

/** A request, and the handling of its answer. */
interface Visit {
  url: string;
  init: RequestInit;
  read?: (response: Response) => Promise<void>;
}

/** `weight`: percent of all requests. `visit`: undefined when nothing of the kind is possible now. */
interface Kind {
  name: string;
  weight: number;
  expected: readonly number[];
  visit(): Visit | undefined;
}

/** A worker's assignments. */
interface Field {
  token: string;
  known: Set<string>;
  toPlant: string[];
  planted: string[];
  photographed: string[];
}

/** An open load of visitors, buyers, customers, workers and admins: a request is sent when it is due, answered or not the ones before. */
export function openLoad({ product, driver }: Tested, people: People) {
  const random = randomOf(SEED);
  const oneOf = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const links: string[] = [];
  const photos: string[] = [];
  const fields = people.workers.map((token): Field => ({
    token,
    known: new Set(),
    toPlant: [],
    planted: [],
    photographed: [],
  }));
  const promises: Promises = { paid: [], photos: [] };
  const anAddress = () => `10.20.${Math.floor(random() * 2)}.${Math.floor(random() * 250)}`;

  function visit<Key extends keyof Api>(
    key: Key,
    parts: CallParts<Key>,
    take?: (answer: Api[Key]['response']) => void,
  ): Visit {
    const { url, init } = requestOf(key, parts);
    if (!take) return { url, init };
    return { url, init, read: async (response) => take((await response.json()) as Api[Key]['response']) };
  }

  /** @param whenPaid follows the intent of a buyer until the card is charged */
  const kindsOf = (whenPaid: (intent: { client_secret: string; orderToken: string }) => void): Kind[] => {
    const kind = (weight: number, name: string, visitNow: Kind['visit'], expected = [200]): Kind => ({
      weight,
      name,
      expected,
      visit: visitNow,
    });
    const customer = () => oneOf(people.customers)!;
    const asAdmin = (query: object): Visit =>
      visit('GET /api/admin/orders/manage', { token: people.admin, query } as never);
    return [
      kind(14, 'prices', () => visit('GET /api/pricing/dynamic', {})),
      kind(8, 'packages', () => visit('GET /api/pricing/packages', { query: { currency: 'COP' } })),
      kind(8, 'statistics', () => visit('GET /api/stats', {})),
      kind(4, 'settings of the page', () => visit('GET /api/config', {})),
      kind(4, 'checkout: payment intent', () => {
        const buyer = { customerName: 'Rosa Prueba', customerEmail: customer().email, locale: 'en' } as const;
        const body = { trees: 5, packageType: 'grove', currency: 'USD', ...buyer } as const;
        return visit('POST /api/pricing/create-payment-intent', { body }, whenPaid);
      }),
      kind(16, 'order by its link', () => {
        const token = oneOf(links);
        if (token === undefined) return undefined;
        return visit('GET /api/track/{token}', { params: { token } }, (order) => {
          for (const { filename } of order.photos) keepRecent(photos, filename);
        });
      }),
      kind(9, 'customer: orders', () => visit('GET /api/customers/orders', { token: customer().token })),
      kind(1, 'log in', () =>
        visit('POST /api/auth/customer/login', { body: { email: customer().email, password: PASSWORD } }),
      ),
      kind(5, 'admin: list', () =>
        asAdmin({ status: oneOf(['pending', 'assigned', 'planted', 'completed']) }),
      ),
      kind(4, 'admin: search', () => asAdmin({ q: customer().email.split('@')[0] })),
      kind(5, 'worker: list', () => list(oneOf(fields)!)),
      // 409: the answer to an earlier try was lost.
      kind(8, 'worker: step', () => stepOf(oneOf(fields.filter(hasStep))), [200, 409]),
      kind(
        2,
        'photo: upload',
        () => upload(oneOf(fields.filter(({ planted }) => planted.length > 0))),
        [201],
      ),
      kind(12, 'photo: look', () => {
        const filename = oneOf(photos);
        if (filename === undefined) return undefined;
        const headers = { accept: 'image/avif,image/webp,image/*' };
        return { url: `/api/photos/${filename}?w=${oneOf(PHOTO_WIDTHS)!}`, init: { headers } };
      }),
    ];
  };

  const list = (field: Field): Visit =>
    visit('GET /api/workers/assignments', { token: field.token }, ({ assignments }) => {
      for (const { _id: id, status } of assignments) {
        if (status === 'assigned' && !field.known.has(id)) field.toPlant.push(id);
        field.known.add(id);
      }
    });
  const hasStep = ({ toPlant, photographed, planted }: Field): boolean =>
    toPlant.length > 0 || photographed.length > 0 || planted.length > UNPHOTOGRAPHED;
  /** Completes an order with its photo, or plants one. */
  function stepOf(field: Field | undefined): Visit | undefined {
    if (!field) return undefined;
    const { token, planted } = field;
    const done =
      field.photographed.shift() ?? (planted.length > UNPHOTOGRAPHED ? planted.shift() : undefined);
    const id = done ?? field.toPlant.shift()!;
    const status = done === undefined ? 'planted' : 'completed';
    const parts = { token, params: { id }, body: { status } } as const;
    return visit('PUT /api/workers/assignments/{id}/status', parts, () => {
      if (status === 'planted') planted.push(id);
    });
  }
  function upload(field: Field | undefined): Visit | undefined {
    if (!field) return undefined;
    const id = field.planted.shift()!;
    const clientId = crypto.randomUUID();
    const buffer = Buffer.from(withComment(people.photo, clientId));
    const picture = { name: 'siembra.jpg', mimeType: 'image/jpeg', buffer };
    const body = pictureForm('photos', [picture], { details: JSON.stringify([{ clientId }]) });
    const parts = { token: field.token, params: { id }, body };
    return visit('POST /api/workers/assignments/{id}/photos', parts, (taken) => {
      promises.photos.push(...taken.photos.map(({ filename }) => filename));
      field.photographed.push(id);
    });
  }

  async function make(kind: Kind, at: number, startedAt: number, { made }: Phase): Promise<void> {
    const found = kind.visit();
    const { url, init, read } = found ?? list(oneOf(fields)!);
    const { name, expected } = found ? kind : { name: 'worker: list', expected: [200] };
    const headers = { ...(init.headers as Record<string, string>), 'x-forwarded-for': anAddress() };
    const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
    const answered = await answerOf(fetch(new URL(url, product.url), { ...init, headers, signal }), read);
    const ms = performance.now() - startedAt - at;
    made.push({ kind: name, at, ms, isExpected: expected.includes(answered.status), ...answered });
  }

  /** Charges the card; a patient buyer then waits for the order. */
  async function pay(
    { client_secret, orderToken }: { client_secret: string; orderToken: string },
    isPatient: boolean,
    { visibleMs }: Phase,
  ): Promise<void> {
    promises.paid.push(await driver.pay(client_secret));
    if (!isPatient) return;
    const paidAt = performance.now();
    while (performance.now() - paidAt < VISIBLE_WITHIN_MS) {
      if (await driver.isVisible(orderToken).catch(() => false)) {
        visibleMs.push(performance.now() - paidAt);
        return keepRecent(links, orderToken);
      }
      await sleep(LOOK_EVERY_MS);
    }
    visibleMs.push(Infinity);
  }

  /** Resolves when everything is sent. @returns a function that waits until everything is answered */
  async function send(
    ratePerSecond: number,
    seconds: number,
    isPatient = true,
  ): Promise<() => Promise<Phase>> {
    const phase: Phase = { made: [], visibleMs: [], lateMs: [] };
    const pending = new Set<Promise<void>>();
    const follow = (doing: Promise<void>) => {
      pending.add(doing);
      void doing.finally(() => pending.delete(doing));
    };
    const startedAt = performance.now();
    const kinds = kindsOf((intent) => {
      const at = performance.now() - startedAt;
      const lost = {
        kind: 'card at the provider',
        at,
        ms: 0,
        status: 0,
        isExpected: false,
        hasRetryAfter: false,
      };
      const paying = pay(intent, isPatient, phase);
      follow(paying.catch((error: Error) => void phase.made.push({ ...lost, failure: error.message })));
    });
    for (const at of arrivals(ratePerSecond, seconds, random)) {
      const early = at - (performance.now() - startedAt);
      if (early > 1) await sleep(early);
      phase.lateMs.push(Math.max(0, performance.now() - startedAt - at));
      follow(make(picked(kinds, random()), at, startedAt, phase));
    }
    await sleep(Math.max(0, seconds * 1000 - (performance.now() - startedAt)));
    return async () => {
      // A request may start another one.
      while (pending.size > 0) await Promise.all(pending);
      return phase;
    };
  }

  /** Pages with event streams, which reconnect. `refusals`: answers other than 200, and broken connections. */
  function listen() {
    const received = { messages: 0, refusals: [] as string[] };
    const page = (path: string, token?: string) => ({ path, token });
    const pages = [
      ...links.slice(0, OPEN_PAGES).map((link) => page(`/api/track/${link}/events`)),
      ...people.customers
        .slice(0, OPEN_PAGES)
        .map(({ token }) => page('/api/customers/orders/events', token)),
      ...people.workers.slice(0, OPEN_PAGES).map((token) => page('/api/workers/assignments/events', token)),
      page('/api/admin/orders/events', people.admin),
    ];
    const open = async ({ path, token }: ReturnType<typeof page>, signal: AbortSignal): Promise<void> => {
      const headers = { 'x-forwarded-for': anAddress(), ...(token && { authorization: `Bearer ${token}` }) };
      const response = await fetch(new URL(path, product.url), { headers, signal });
      if (response.status !== 200) throw new Error(String(response.status));
      for await (const chunk of response.body!)
        if (Buffer.from(chunk).includes('data: ')) received.messages++;
    };
    const staying = pages.map((one) => {
      const name = one.path.replace(/[\w-]{20,}/, '…');
      return repeatedly(
        (signal) =>
          open(one, signal).catch((error: Error) => {
            if (!signal.aborted) received.refusals.push(`${name}: ${error.message}`);
          }),
        RECONNECT_MS,
      );
    });
    return {
      async stop() {
        await Promise.all(staying.map((one) => one.stop()));
        return received;
      },
    };
  }

  return { send, listen, promises };
}
export type Load = ReturnType<typeof openLoad>;

function keepRecent(all: string[], one: string): void {
  if (all.includes(one)) return;
  if (all.length >= RECENT) all.shift();
  all.push(one);
}

/** Random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Times of requests in ms from the beginning, as a Poisson process. */
export function* arrivals(ratePerSecond: number, seconds: number, random: () => number): Generator<number> {
  for (let at = 0; ;) {
    at += (-Math.log(1 - random()) / ratePerSecond) * 1000;
    if (at >= seconds * 1000) return;
    yield at;
  }
}

/** Picks by weight. @param chance from 0 to 1 */
export function picked<T extends { weight: number }>(all: readonly T[], chance: number): T {
  let left = chance * all.reduce((sum, { weight }) => sum + weight, 0);
  return all.find(({ weight }) => (left -= weight) < 0) ?? all.at(-1)!;
}
