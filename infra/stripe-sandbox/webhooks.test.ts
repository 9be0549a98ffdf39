import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import Stripe from 'stripe';
import { clientOf, openReceiver, openSandbox, type Receiver, type TestSandbox } from './test/sandbox.ts';
import { signatureHeader } from './webhooks.ts';

describe('webhooks', () => {
  let sandbox: TestSandbox;

  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await openReceiver();
    sandbox = await openSandbox({ webhookUrl: receiver.url });
  });

  afterEach(async () => {
    await sandbox.remove();
    await receiver.close();
  });

  const pay = (payment_method = 'pm_card_visa') =>
    sandbox.stripe.paymentIntents
      .create({
        amount: 2500,
        currency: 'usd',
        confirm: true,
        payment_method,
      })
      .catch((error) => error.payment_intent);

  const types = () => receiver.events.map((event) => event.type).sort();

  const settled = async () => {
    const { counts } = await sandbox.control('GET', '/webhooks');
    return counts as Record<string, number>;
  };

  test('a paid intent sends a signed event with a snapshot of the object', async () => {
    const paid = await pay();
    const [event] = await receiver.received(1, 'payment_intent.succeeded');
    expect(event?.data.object).toMatchObject({ id: paid.id, status: 'succeeded', amount_received: 2500 });
    expect(event).toMatchObject({ object: 'event', livemode: false, api_version: '2026-10-28.endive' });
    await receiver.received(3);
    expect(types()).toEqual(['charge.succeeded', 'payment_intent.created', 'payment_intent.succeeded']);
    expect(await sandbox.stripe.events.retrieve(event?.id ?? '')).toMatchObject({
      type: 'payment_intent.succeeded',
    });
  });

  test.each([
    ['pm_card_chargeDeclined', ['charge.failed', 'payment_intent.created', 'payment_intent.payment_failed']],
    ['pm_card_authenticationRequired', ['payment_intent.created', 'payment_intent.requires_action']],
    ['pm_card_processing', ['payment_intent.created', 'payment_intent.processing']],
    [
      'pm_card_createDispute',
      ['charge.dispute.created', 'charge.succeeded', 'payment_intent.created', 'payment_intent.succeeded'],
    ],
  ])('%s leads to its own events', async (method, expected) => {
    await pay(method);
    await receiver.received(expected.length);
    expect(types()).toEqual(expected);
  });

  test('a rejected webhook is repeated until it is accepted', async () => {
    receiver.answer(500);
    const paid = await pay();
    await receiver.received(9);
    receiver.answer(200);
    const before = receiver.events.length;
    await receiver.received(before + 3);
    const { deliveries } = await sandbox.control('GET', `/events?object=${paid.id}`);
    const succeeded = deliveries.find(
      (delivery: { type: string }) => delivery.type === 'payment_intent.succeeded',
    );
    expect(succeeded.attempts).toBeGreaterThan(2);
  });

  test('asking for events of one object returns only their deliveries', async () => {
    await pay();
    const paid = await pay();
    await receiver.received(6);
    const { events, deliveries } = await sandbox.control('GET', `/events?object=${paid.id}`);
    const ids = (of: string, found: Record<string, string>[]) => found.map((one) => one[of]).sort();
    expect(events.length).toBeGreaterThan(1);
    expect(ids('event', deliveries)).toEqual(ids('id', events));
  });

  test('events wait for a URL, and are sent when there is one', async () => {
    await sandbox.remove();
    sandbox = await openSandbox();
    await pay();
    expect(await settled()).toMatchObject({ pending: 3, delivered: 0 });
    sandbox.setWebhookUrl(receiver.url);
    await receiver.received(3);
  });

  test('undelivered events are sent after a restart', async () => {
    await sandbox.remove();
    sandbox = await openSandbox();
    const { dataDir } = sandbox;
    const paid = await pay();
    await sandbox.close();
    sandbox = await openSandbox({ dataDir, webhookUrl: receiver.url });
    const [event] = await receiver.received(1, 'payment_intent.succeeded');
    expect(event?.data.object).toMatchObject({ id: paid.id });
  });

  test('held webhooks are sent when released, in the given order', async () => {
    await sandbox.control('PUT', '/webhooks', { mode: 'hold' });
    await pay();
    expect(await settled()).toMatchObject({ held: 3, pending: 0, delivered: 0 });
    expect(receiver.events).toEqual([]);
    const { held } = await sandbox.control('GET', '/webhooks');
    const inOrder = held.map((delivery: { event: string }) => delivery.event);
    const backwards = [...inOrder].reverse();

    await sandbox.control('POST', '/webhooks/release', { order: 'reversed' });
    expect(receiver.events.map(({ id }) => id)).toEqual(backwards);
    expect(await settled()).toMatchObject({ held: 0, delivered: 3 });
  });

  test('one held webhook can overtake the others', async () => {
    await sandbox.control('PUT', '/webhooks', { mode: 'hold' });
    await pay();
    const { events } = await sandbox.control('GET', '/events?type=payment_intent.succeeded');
    await sandbox.control('POST', '/webhooks/release', { events: [events[0].id] });
    expect(types()).toEqual(['payment_intent.succeeded']);
    await sandbox.control('PUT', '/webhooks', { mode: 'deliver' });
    expect(receiver.events).toHaveLength(3);
  });

  test('an event can be sent many times, unchanged', async () => {
    await pay();
    const [event] = await receiver.received(1, 'payment_intent.succeeded');
    await sandbox.control('POST', `/events/${event?.id}/repeat`, { times: 4 });
    const all = await receiver.received(5, 'payment_intent.succeeded');
    expect(new Set(all.map((one) => JSON.stringify({ ...one, pending_webhooks: 0 }))).size).toBe(1);
  });

  test('lost webhooks are never sent, though the API lists their events', async () => {
    await sandbox.control('PUT', '/webhooks', { mode: 'lose' });
    const lost = await pay();
    await sandbox.control('PUT', '/webhooks', { mode: 'deliver' });
    await pay();
    await receiver.received(3);
    expect(receiver.events.map((event) => (event.data.object as { id: string }).id)).not.toContain(lost.id);
    const { data } = await sandbox.stripe.events.list({ type: 'payment_intent.succeeded' });
    expect(data.map((event) => (event.data.object as { id: string }).id)).toContain(lost.id);
  });

  test('held webhooks can be lost one by one', async () => {
    await sandbox.control('PUT', '/webhooks', { mode: 'hold' });
    await pay();
    const { events } = await sandbox.control('GET', '/events?type=payment_intent.created');
    expect(await sandbox.control('POST', '/webhooks/lose', { events: [events[0].id] })).toEqual({
      lost: [events[0].id],
    });
    await sandbox.control('POST', '/webhooks/release');
    expect(types()).toEqual(['charge.succeeded', 'payment_intent.succeeded']);
  });

  test('a test can open a dispute', async () => {
    const paid = await pay();
    await sandbox.control('POST', '/disputes', {
      charge: paid.latest_charge,
      reason: 'product_not_received',
    });
    const [event] = await receiver.received(1, 'charge.dispute.created');
    expect(event?.data.object).toMatchObject({ charge: paid.latest_charge, reason: 'product_not_received' });
    expect((await sandbox.stripe.charges.retrieve(paid.latest_charge)).disputed).toBe(true);
    await expect(sandbox.control('POST', '/disputes', { charge: 'ch_none' })).rejects.toThrow(
      /No such charge/,
    );
  });

  test('the control API requires the secret key', async () => {
    for (const key of ['', 'Bearer pk_test_sandbox', 'Bearer sk_test_other']) {
      const answer = await fetch(`${sandbox.url}/sandbox/state`, { headers: { Authorization: key } });
      expect(answer.status).toBe(401);
    }
    const { charges } = await sandbox.control('GET', '/state');
    expect(charges).toEqual([]);
  });

  test.each([
    ['PUT', '/webhooks', {}, /mode is missing/],
    ['PUT', '/webhooks', { mode: 'explode' }, /mode must be one of deliver, hold, lose/],
    ['POST', '/webhooks/release', { order: 'random' }, /order must be one of/],
    ['POST', '/webhooks/release', { events: 'evt_1' }, /list of event ids/],
    ['POST', '/events/evt_none/repeat', {}, /No such event/],
    ['POST', '/events/evt_1/repeat', { times: 0 }, /from 1 to 100/],
    ['POST', '/events/evt_1/repeat', { times: 101 }, /from 1 to 100/],
    ['POST', '/disputes', {}, /charge must be/],
    ['POST', '/disputes', { charge: 'ch_1', amount: 1.5 }, /whole number/],
    ['POST', '/disputes/dp_none/close', {}, /No such dispute/],
    ['POST', '/payment_intents/pi_none/settle', {}, /No such payment_intent/],
  ] as const)('%s %s with %j is refused', async (method, path, body, message) => {
    await expect(sandbox.control(method, path, body)).rejects.toThrow(message);
  });

  test('two sandboxes in one process are independent', async () => {
    const other = await openSandbox();
    const paid = await pay();
    await expect(clientOf(other.apiUrl).paymentIntents.retrieve(paid.id)).rejects.toThrow(
      /No such payment_intent/,
    );
    await other.remove();
  });
});

const stripe = new Stripe('sk_test_any');

const secret = 'whsec_demo';

const body = JSON.stringify({ id: 'evt_1', object: 'event', data: { object: { name: 'Guayacán' } } });

const nowS = () => Math.floor(Date.now() / 1000);

test('the official package accepts a signed webhook', () => {
  const event = stripe.webhooks.constructEvent(body, signatureHeader(body, secret, nowS()), secret);
  expect(event.id).toBe('evt_1');
});

test('and rejects another secret, a changed body or an old time', () => {
  const header = signatureHeader(body, secret, nowS());
  expect(() => stripe.webhooks.constructEvent(body, header, 'whsec_other')).toThrow(/signature/);
  expect(() => stripe.webhooks.constructEvent(body + ' ', header, secret)).toThrow(/signature/);
  const old = signatureHeader(body, secret, nowS() - 301);
  expect(() => stripe.webhooks.constructEvent(body, old, secret)).toThrow(/tolerance/);
});
