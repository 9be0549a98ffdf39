import type { Answer } from '@arboleda/chassis/testing/request.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import { mailboxOf } from '@arboleda/contracts/mailbox.ts';
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
    ['a spelled link', { message: 'evil punto com' }, 'gift.message: no-links'],
    ['a link in a name', { recipientName: 'bit.ly/x3' }, 'gift.recipientName: no-links'],
    ['501 characters', { message: 'x'.repeat(501) }, 'gift.message: too-long'],
    ['another drawing', { card: 'cat' }, 'gift.card: unknown-value'],
  ])('is refused with %s', async (_what, changes, expected) => {
    expect(faults(await buy({ ...giftTo(), ...changes }))).toEqual([422, 'validation-failed', [expected]]);
  });

  test.each([
    ['Bancolombia Seguridad', 'customerName: not-a-sender'],
    ['DIAN', 'customerName: not-a-sender'],
    ['Equipo Arboleda', 'customerName: not-a-sender'],
    ['evil.com', 'customerName: no-links'],
  ])('is not sent by "%s"', async (customerName, expected) => {
    expect(faults(await buy(giftTo(), { customerName }))).toEqual([422, 'validation-failed', [expected]]);
    // Nobody else gets an email from them.
    expect((await harness.checkout({ ...grove, customerName })).status).toBe(200);
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

describe('a gift too many', () => {
  const intentsMade = () =>
    harness.door.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/payment_intents')
      .length;

  test('is refused before Stripe is asked', async () => {
    const recipientEmail = `${randomUUID()}@mail.test`;
    const before = intentsMade();
    const answers = await Promise.all(Array.from({ length: 12 }, () => buy(giftTo({ recipientEmail }))));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
    expect(intentsMade() - before).toBe(5);
    expect(
      await harness.query('select from gift_reservations where recipient_email = $1', [recipientEmail]),
    ).toEqual([]);
  });

  test('is none that Stripe refused', async () => {
    const recipientEmail = `${randomUUID()}@mail.test`;
    harness.door.set('failing');
    const failed = await Promise.all(Array.from({ length: 6 }, () => buy(giftTo({ recipientEmail }))));
    harness.door.set('open');
    expect(failed.map(({ status }) => status)).not.toContain(200);
    expect(failed.map(({ body }) => body.type)).not.toContain('too-many-gifts');
    expect((await buy(giftTo({ recipientEmail }))).status).toBe(200);
  });

  test('repeated with its key counts once', async () => {
    const [gift, customerEmail] = [giftTo(), `${randomUUID()}@mail.test`];
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => buy(gift, { customerEmail }, key)));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.orderId}`)).size).toBe(1);
    const others = await Promise.all(
      Array.from({ length: 5 }, () => buy(giftTo({ recipientEmail: gift.recipientEmail }))),
    );
    expect(others.filter(({ status }) => status === 200)).toHaveLength(4);
  });

  test('is found by mailbox, however its address is spelled', async () => {
    const [one, other] = [randomUUID().slice(0, 8), randomUUID().slice(0, 8)];
    const spellings = [
      `${one}.x@gmail.com`,
      `${one}x@gmail.com`,
      `${one}x+1@gmail.com`,
      `${one}X+a.b@GoogleMail.com`,
      `${one.slice(0, 1)}.${one.slice(1)}x@gmail.com`,
    ];
    for (const recipientEmail of spellings) expect((await buy(giftTo({ recipientEmail }))).status).toBe(200);
    expect((await buy(giftTo({ recipientEmail: `${one}x+2@gmail.com` }))).status).toBe(422);
    // A dot matters elsewhere.
    expect((await buy(giftTo({ recipientEmail: `${other}.x@mail.test` }))).status).toBe(200);
  });

  test('is found by the buyer’s mailbox', async () => {
    const buyer = randomUUID();
    const all = Array.from({ length: 21 }, (_, at) =>
      buy(giftTo({ recipientEmail: null }), { customerEmail: `${buyer}+${at}@mail.test` }),
    );
    expect((await Promise.all(all)).filter(({ status }) => status === 200)).toHaveLength(20);
  });

  test('counts in the database as in the contracts', async () => {
    const addresses = [
      'Ana@Example.org',
      'ana+x@example.org',
      '+ana@example.org',
      'a.n.a+x+y@googlemail.com',
      'ａｎａ@example.org',
      'a_n-a.x+1@pm.me',
      'ana@me.com',
      'ana.b@example.org.',
    ];
    const rows = await harness.query<{ mailbox: string }>(
      'select mailbox(address) from unnest($1::text[]) with ordinality as all_of (address, at) order by at',
      [addresses],
    );
    expect(rows.map(({ mailbox }) => mailbox)).toEqual(addresses.map(mailboxOf));
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
