import express, { type Request, type Response, type Router } from 'express';
import { type Cause, newDelivery, withoutRequest } from './events.ts';
import { unreadable } from './http/endpoint.ts';
import {
  invalidRequest,
  keyKind,
  type Keys,
  noSuch,
  secretKeyRequired,
  StripeProblem,
} from './http/errors.ts';
import type { Delivery, TableName, Tables } from './objects.ts';
import { settle } from './payments/confirming.ts';
import { isSettled, settleCharge } from './payments/money.ts';
import { closeDispute, failRefund, openDispute } from './payments/refunds.ts';
import type { Store } from './storage/store.ts';
import type { Deliverer } from './webhooks.ts';

interface ControlOptions {
  store: Store;
  deliverer: Deliverer;
  keys: Keys;
  nowMs: () => number;
}

/** /sandbox/*: controls for tests and demos that Stripe does not have. Requires the secret key. */
export function controlRouter({ store, deliverer, keys, nowMs }: ControlOptions): Router {
  const router = express.Router();
  router.use(express.json({ type: () => true, limit: '1mb' }));

  const route = (
    method: 'get' | 'put' | 'post',
    path: string,
    answer: (req: Request) => object | Promise<object>,
  ) =>
    router[method](path, async (req: Request, res: Response) => {
      try {
        if (keyKind(req.get('authorization'), undefined, keys) !== 'secret') throw secretKeyRequired();
        res.json(await answer(req));
      } catch (error) {
        if (!(error instanceof StripeProblem)) throw error;
        res.status(error.status).json({ error: error.body });
      }
    });
  const act = <T>(decide: (cause: Cause) => T): Promise<T> =>
    store.transact((tx) => decide(withoutRequest(tx, nowMs())));
  /** Changes the object of a table that the path names. */
  const change = <K extends TableName>(
    table: K,
    path: string,
    decide: (cause: Cause, object: Tables[K], body: unknown) => object,
  ) =>
    route('post', path, (req) =>
      act((cause) => decide(cause, existing(cause, table, String(req.params.id), 'id'), req.body)),
    );

  const inState = (state: Delivery['state']) =>
    store
      .all('deliveries')
      .filter((delivery) => delivery.state === state)
      .reverse();
  const summary = () => ({
    mode: store.get('settings', 'webhooks')?.mode ?? 'deliver',
    counts: Object.fromEntries(
      (['pending', 'held', 'delivered', 'lost'] as const).map((state) => [state, inState(state).length]),
    ),
    held: inState('held'),
  });

  /** Attempts each delivery once, in sequence, so that the receiver sees this order. */
  async function deliverInOrder(deliveries: Delivery[]): Promise<Array<Delivery | undefined>> {
    const tried = [];
    for (const delivery of deliveries) {
      await act(({ tx }) => tx.put('deliveries', { ...delivery, state: 'pending' }));
      tried.push(await deliverer.attempt(delivery.id));
    }
    return tried;
  }

  route('get', '/webhooks', () => summary());
  route('put', '/webhooks', async (req) => {
    const { mode } = modeRequest(req.body);
    await act(({ tx }) => tx.put('settings', { id: 'webhooks', mode }));
    if (mode === 'deliver') await deliverInOrder(inState('held'));
    return summary();
  });
  route('post', '/webhooks/release', async (req) => ({
    released: await deliverInOrder(releaseOrder(inState('held'), releaseRequest(req.body))),
  }));
  route('post', '/webhooks/lose', async (req) => {
    const { events } = loseRequest(req.body);
    const losing = [...inState('held'), ...inState('pending')].filter(
      ({ event }) => events?.includes(event) ?? true,
    );
    await act(({ tx }) => losing.forEach((delivery) => tx.put('deliveries', { ...delivery, state: 'lost' })));
    return { lost: losing.map(({ event }) => event) };
  });
  route('get', '/events', (req) => {
    const { type, object } = req.query;
    const events = store
      .all('events')
      .filter((event) => !type || event.type === type)
      .filter((event) => !object || (event.data.object as { id?: string }).id === object)
      .reverse();
    const ids = new Set(events.map(({ id }) => id));
    // Only the given events: all deliveries of a busy day are megabytes.
    const deliveries = store.all('deliveries').filter(({ event }) => ids.has(event));
    return { events, deliveries: deliveries.reverse() };
  });
  route('post', '/events/:id/repeat', async (req) => {
    const { times } = repeatRequest(req.body);
    const event = existing({ tx: store }, 'events', String(req.params.id), 'id');
    const copies = Array.from({ length: times }, () => newDelivery(event, 'held', nowMs()));
    return { repeated: await deliverInOrder(copies) };
  });
  route('post', '/disputes', (req) => {
    const { charge, ...given } = disputeRequest(req.body);
    return act((cause) => openDispute(cause, existing(cause, 'charges', charge, 'charge'), given));
  });
  change('disputes', '/disputes/:id/close', (cause, dispute, body) =>
    closeDispute(cause, dispute, closeRequest(body).outcome),
  );
  change('charges', '/charges/:id/settle', (cause, charge) =>
    isSettled(charge) ? charge : settleCharge(cause, charge),
  );
  change('refunds', '/refunds/:id/fail', failRefund);
  change('payment_intents', '/payment_intents/:id/settle', (cause, intent, body) =>
    settle(cause, intent, settleRequest(body).outcome),
  );
  route('get', '/state', () => ({
    payment_intents: store.all('payment_intents').reverse(),
    charges: store.all('charges').reverse(),
    refunds: store.all('refunds').reverse(),
  }));
  router.use(unreadable);
  return router;
}

function existing<K extends TableName>(
  { tx }: { tx: Pick<Store, 'get'> },
  table: K,
  id: string,
  param: string,
): Tables[K] {
  const object = tx.get(table, id);
  if (!object) throw noSuch(table.slice(0, -1), id, param);
  return object;
}

interface Release {
  /** Ids of events to release, the rest stays held; all when absent. */
  events?: string[] | undefined;
  order?: 'created' | 'reversed' | undefined;
}

/** The held deliveries to release, in order. Named events keep the given order. */
function releaseOrder(held: Delivery[], { events, order }: Release): Delivery[] {
  const chosen = events ? events.flatMap((id) => held.filter(({ event }) => event === id)) : held;
  return order === 'reversed' ? chosen.toReversed() : chosen;
}

type Body = Record<string, unknown>;

const body = (given: unknown): Body =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Body) : {};

function choice<const T extends string>(given: unknown, param: string, allowed: T[]): T | undefined {
  if (given === undefined || allowed.includes(given as T)) return given as T | undefined;
  throw invalidRequest(`${param} must be one of ${allowed.join(', ')}`, { param });
}

function eventIds(given: unknown): string[] | undefined {
  if (given === undefined) return undefined;
  if (Array.isArray(given) && given.every((id) => typeof id === 'string')) return given;
  throw invalidRequest('events must be a list of event ids', { param: 'events' });
}

/** PUT /sandbox/webhooks */
function modeRequest(given: unknown) {
  const mode = choice(body(given).mode, 'mode', ['deliver', 'hold', 'lose']);
  if (!mode) throw invalidRequest('mode is missing', { param: 'mode' });
  return { mode };
}

/** POST /sandbox/webhooks/release */
function releaseRequest(given: unknown): Release {
  const { events, order } = body(given);
  return { events: eventIds(events), order: choice(order, 'order', ['created', 'reversed']) };
}

/** POST /sandbox/webhooks/lose */
const loseRequest = (given: unknown) => ({ events: eventIds(body(given).events) });

/** POST /sandbox/events/:id/repeat */
function repeatRequest(given: unknown): { times: number } {
  const { times = 1 } = body(given);
  if (typeof times === 'number' && Number.isInteger(times) && times >= 1 && times <= 100) return { times };
  throw invalidRequest('times must be a whole number from 1 to 100', { param: 'times' });
}

/** POST /sandbox/disputes */
function disputeRequest(given: unknown): {
  charge: string;
  amount: number | undefined;
  reason: string;
} {
  const { charge, amount, reason = 'fraudulent' } = body(given);
  if (typeof charge !== 'string')
    throw invalidRequest('charge must be the id of a charge', { param: 'charge' });
  if (amount !== undefined && (!Number.isInteger(amount) || (amount as number) < 1)) {
    throw invalidRequest('amount must be a whole number of smallest units', { param: 'amount' });
  }
  return { charge, amount: amount as number | undefined, reason: String(reason) };
}

/** POST /sandbox/payment_intents/:id/settle */
const settleRequest = (given: unknown) => ({
  outcome: choice(body(given).outcome, 'outcome', ['succeeded', 'failed']) ?? 'succeeded',
});

/** POST /sandbox/disputes/:id/close */
const closeRequest = (given: unknown) => ({
  outcome: choice(body(given).outcome, 'outcome', ['won', 'lost']) ?? 'lost',
});
