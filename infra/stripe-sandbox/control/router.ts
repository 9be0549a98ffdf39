import express, { type Request, type Response, type Router } from 'express';
import { newDelivery, type Cause } from '../events.ts';
import { API_VERSION, unreadable } from '../http/endpoint.ts';
import { noSuch, StripeProblem } from '../http/errors.ts';
import { keyKind, secretKeyRequired, type Keys } from '../http/keys.ts';
import type { Delivery } from '../records.ts';
import { settle } from '../payments/confirming.ts';
import { closeDispute, openDispute } from '../payments/disputes.ts';
import { failRefund } from '../payments/refunds.ts';
import { isSettled, settleCharge } from '../payments/settlement.ts';
import type { Store } from '../storage/store.ts';
import type { Deliverer } from '../webhooks/deliverer.ts';
import { releaseOrder } from './order.ts';
import {
  closeRequest,
  disputeRequest,
  loseRequest,
  modeRequest,
  releaseRequest,
  repeatRequest,
  settleRequest,
} from './requests.ts';

export interface ControlOptions {
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
    store.transact((tx) =>
      decide({
        tx,
        nowS: Math.floor(nowMs() / 1000),
        apiVersion: API_VERSION,
        requestId: null,
        idempotencyKey: null,
      }),
    );

  const inState = (state: Delivery['state']) =>
    store
      .all('deliveries')
      .filter((delivery) => delivery.state === state)
      .reverse();
  const summary = () => ({
    mode: store.get('settings', 'webhooks')?.mode ?? 'deliver',
    url: deliverer.url() ?? null,
    counts: Object.fromEntries(
      (['pending', 'held', 'delivered', 'lost'] as const).map((state) => [state, inState(state).length]),
    ),
    held: inState('held'),
    pending: inState('pending'),
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
    const { mode, url } = modeRequest(req.body);
    if (mode) await act(({ tx }) => tx.put('settings', { id: 'webhooks', mode }));
    if (url) deliverer.setUrl(url);
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
    const id = String(req.params.id);
    const event = store.get('events', id);
    if (!event) throw noSuch('event', id, 'id');
    const { times } = repeatRequest(req.body);
    const copies = Array.from({ length: times }, () => newDelivery(event, 'held', nowMs()));
    return { repeated: await deliverInOrder(copies) };
  });
  route('post', '/disputes', async (req) => {
    const { charge: id, ...given } = disputeRequest(req.body);
    return act((cause) => {
      const charge = cause.tx.get('charges', id);
      if (!charge) throw noSuch('charge', id, 'charge');
      return openDispute(cause, charge, given);
    });
  });
  route('post', '/disputes/:id/close', async (req) => {
    const { outcome } = closeRequest(req.body);
    const id = String(req.params.id);
    return act((cause) => {
      const dispute = cause.tx.get('disputes', id);
      if (!dispute) throw noSuch('dispute', id, 'dispute');
      return closeDispute(cause, dispute, outcome);
    });
  });
  route('post', '/charges/:id/settle', async (req) => {
    const id = String(req.params.id);
    return act((cause) => {
      const charge = cause.tx.get('charges', id);
      if (!charge) throw noSuch('charge', id, 'id');
      return isSettled(charge) ? charge : settleCharge(cause, charge);
    });
  });
  route('post', '/refunds/:id/fail', async (req) => {
    const id = String(req.params.id);
    return act((cause) => {
      const refund = cause.tx.get('refunds', id);
      if (!refund) throw noSuch('refund', id, 'refund');
      return failRefund(cause, refund);
    });
  });
  route('post', '/payment_intents/:id/settle', async (req) => {
    const { outcome } = settleRequest(req.body);
    const id = String(req.params.id);
    return act((cause) => {
      const intent = cause.tx.get('payment_intents', id);
      if (!intent) throw noSuch('payment_intent', id, 'intent');
      return settle(cause, intent, outcome);
    });
  });
  route('get', '/state', () => ({
    payment_intents: store.all('payment_intents').reverse(),
    charges: store.all('charges').reverse(),
    refunds: store.all('refunds').reverse(),
    disputes: store.all('disputes').reverse(),
    sessions: store.all('sessions').reverse(),
    webhooks: summary(),
  }));
  router.use(unreadable);
  return router;
}
