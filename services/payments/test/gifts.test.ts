import type { Answer } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import { dayIn, daysLater } from '@arboleda/contracts/time-zone.ts';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { aPaidPayment, payOnPage, webhooks } from './actions.ts';
import { grove, type Harness, openHarness } from './harness.ts';
import { packageHarness } from './package-harness.ts';

let harness: Harness;
let packages: ReturnType<typeof packageHarness>;
beforeAll(async () => {
  harness = await openHarness();
  packages = packageHarness(harness);
  await webhooks(harness, 'deliver');
});
afterAll(() => harness.close());

const TODAY = dayIn(new Date(), 'America/Bogota');
const giftTo = (changes: Partial<Gift> = {}): Gift => ({
  recipientName: 'Olga Ruiz',
  recipientEmail: `${randomUUID()}@mail.test`,
  message: 'For your birthday.',
  language: 'en',
  card: 'valley',
  deliverOn: daysLater(TODAY, 20),
  timeZone: 'America/Bogota',
  ...changes,
});
const buy = (gift: object, changes: object = {}, key?: string) =>
  harness.checkout(
    { ...grove, customerEmail: `${randomUUID()}@mail.test`, ...changes, gift },
    key === undefined ? {} : { key },
  );
const faults = ({ status, body }: Answer) => [
  status,
  body.type,
  (body.errors ?? []).map(({ path, type }: { path: string; type: string }) => `${path}: ${type}`),
];
const keptGift = async (orderId: string) =>
  (await harness.query<{ gift: Gift | null }>('select gift from payments where order_id = $1', [orderId]))[0]!
    .gift;

describe('a card payment', () => {
  test('carries its gift to the order', async () => {
    const gift = giftTo();
    const answer = await buy(gift);
    expect(answer.status).toBe(200);
    await harness.pay(answer);
    const { data } = await harness.events.next(
      'payment.succeeded',
      (event) => event.data.orderId === answer.body.orderId,
    );
    expect(data.gift).toEqual(gift);
  });

  test('without a gift publishes what it always did', async () => {
    const answer = await harness.checkout();
    await harness.pay(answer);
    const { data } = await harness.events.next(
      'payment.succeeded',
      (event) => event.data.orderId === answer.body.orderId,
    );
    expect(Object.keys(data).sort()).toEqual([
      'amountMinor',
      'card',
      'currency',
      'customer',
      'language',
      'method',
      'orderId',
      'packageType',
      'paidAt',
      'paymentId',
      'transactionId',
      'trees',
    ]);
  });

  test.each([
    ['yesterday', { deliverOn: daysLater(TODAY, -1) }, 'gift.deliverOn: gift-day-past'],
    ['366 days ahead', { deliverOn: daysLater(TODAY, 366) }, 'gift.deliverOn: gift-day-too-far'],
    ['no name', { recipientName: '' }, 'gift.recipientName: required'],
    ['an address that is none', { recipientEmail: 'olga' }, 'gift.recipientEmail: invalid-email'],
    ['a link', { message: 'https://evil.test' }, 'gift.message: no-links'],
    ['501 characters', { message: 'x'.repeat(501) }, 'gift.message: too-long'],
    ['another drawing', { card: 'cat' }, 'gift.card: unknown-value'],
  ])('is refused with %s', async (_what, changes, expected) => {
    expect(faults(await buy({ ...giftTo(), ...changes }))).toEqual([422, 'validation-failed', [expected]]);
  });

  test('may be given to oneself', async () => {
    const email = `${randomUUID()}@mail.test`;
    expect((await buy(giftTo({ recipientEmail: email }), { customerEmail: email })).status).toBe(200);
  });

  test('is one with its gift: the same key with another gift is a conflict', async () => {
    const [gift, key, customerEmail] = [giftTo(), randomUUID(), `${randomUUID()}@mail.test`];
    const first = await buy(gift, { customerEmail }, key);
    expect((await buy(gift, { customerEmail }, key)).body.orderId).toBe(first.body.orderId);
    const other = await buy({ ...gift, message: 'Another' }, { customerEmail }, key);
    expect(faults(other).slice(0, 2)).toEqual([409, 'idempotency-conflict']);
  });

  test('is one of at most five gifts to an address a day, from any buyers, also when many are bought at once', async () => {
    const recipientEmail = `${randomUUID()}@mail.test`;
    const answers = await Promise.all(Array.from({ length: 12 }, () => buy(giftTo({ recipientEmail }))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(faults(answers.find(({ status }) => status !== 200)!)).toEqual([
      422,
      'too-many-gifts',
      ['gift.recipientEmail: too-many-gifts'],
    ]);
    const nextDay = giftTo({ recipientEmail, deliverOn: daysLater(TODAY, 21) });
    expect((await buy(nextDay)).status).toBe(200);
  });

  test('is one of at most twenty gifts of a buyer a day', async () => {
    const customerEmail = `${randomUUID()}@mail.test`;
    const all = Array.from({ length: 22 }, () => buy(giftTo({ recipientEmail: null }), { customerEmail }));
    const answers = await Promise.all(all);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(faults(answers.find(({ status }) => status !== 200)!)).toEqual([
      422,
      'too-many-gifts',
      ['gift: too-many-gifts'],
    ]);
    expect((await harness.checkout({ ...grove, customerEmail })).status).toBe(200);
  });
});

const account = { accountId: randomUUID(), ordersToo: true, at: new Date().toISOString() };
const erase = (email: string, changes: object = {}) =>
  harness.publish({
    type: 'customer.erased',
    data: { ...account, at: new Date().toISOString(), email, ...changes },
  });

describe('erasure', () => {
  test('of the recipient removes the gift; the payment stays', async () => {
    const gift = giftTo();
    const { body } = await buy(gift);
    const other = await buy(giftTo());
    await erase(gift.recipientEmail!);
    await waitFor(async () => (await keptGift(body.orderId)) === null);
    expect(await keptGift(other.body.orderId)).not.toBeNull();
  });

  test('of a buyer who never paid removes the gift, too', async () => {
    const customerEmail = `${randomUUID()}@mail.test`;
    const { body } = await buy(giftTo(), { customerEmail });
    await erase(customerEmail, { accountId: randomUUID() });
    await waitFor(async () => (await keptGift(body.orderId)) === null);
  });
});

describe('growth updates of a gift', () => {
  const claimed = async () => {
    const paid = await aPaidPayment(harness);
    const olga = { id: randomUUID(), name: 'Olga Ruiz', email: `${randomUUID()}@mail.test` };
    const data = { orderId: paid.orderId, accountId: olga.id, name: olga.name, email: olga.email };
    await harness.publish({
      type: 'gift.claimed',
      data: { ...data, language: 'en', at: new Date().toISOString() },
    });
    await waitFor(
      async () =>
        (await harness.query('select from gift_claims where order_id = $1', [paid.orderId])).length === 1,
    );
    return { ...paid, olga };
  };

  test('are the recipient’s to buy, who pays and gets the receipt', async () => {
    const { orderId, olga } = await claimed();
    const answer = await packages.buy(orderId, 'price_three_year', olga);
    expect(answer.status).toBe(200);
    const [session] = await packages.sessionsOf(orderId);
    expect(session).toMatchObject({ customer_email: olga.email, locale: 'en' });
    await payOnPage(harness, answer.body.checkoutUrl);
    const { data } = await packages.received(orderId);
    expect(data).toMatchObject({
      customer: { name: 'Olga Ruiz', email: olga.email },
      language: 'en',
      byRecipient: true,
    });
    // A change of the buyer's data does not touch it.
    await harness.publish({
      type: 'order.updated',
      data: {
        orderId,
        trees: 5,
        amountMinor: 2000,
        currency: 'USD',
        customer: { name: 'Ana Gil', email: 'ana.gil@arboleda.test' },
        language: 'es',
        changed: ['customer.name'],
        by: { role: 'admin' },
        at: new Date().toISOString(),
      },
    });
    const customers = () =>
      harness.query<{ p: string; b: string }>(
        `select payments.customer ->> 'name' as p, bought.customer ->> 'name' as b
         from payments join package_purchases as bought using (order_id) where order_id = $1`,
        [orderId],
      );
    await waitFor(async () => (await customers())[0]?.p === 'Ana Gil');
    expect((await customers())[0]!.b).toBe('Olga Ruiz');
    await erase(olga.email, { accountId: olga.id, ordersToo: false });
    await waitFor(async () => (await customers())[0]?.b === '—');
    expect((await packages.buy(orderId, 'price_three_year', olga)).status).toBe(404);
  });

  test('are not anybody else’s, and never paid on another’s page', async () => {
    const { orderId, olga } = await claimed();
    const stranger = { id: randomUUID(), email: `${randomUUID()}@mail.test` };
    expect((await packages.buy(orderId, 'price_three_year', stranger)).status).toBe(404);
    const buyers = await packages.buy(orderId);
    const recipients = await packages.buy(orderId, 'price_three_year', olga);
    expect([buyers.status, recipients.status]).toEqual([200, 200]);
    expect(recipients.body.checkoutUrl).not.toBe(buyers.body.checkoutUrl);
    const sessions = await packages.sessionsOf(orderId);
    expect(sessions.map(({ status, customer_email }) => [status, customer_email])).toEqual([
      ['open', olga.email],
      ['expired', 'ana@arboleda.test'],
    ]);
  });
});
