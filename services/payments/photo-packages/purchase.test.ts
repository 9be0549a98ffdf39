import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openCatalogue } from './checkout.ts';
import {
  followAccount,
  observeSession,
  type PackagePurchase,
  type PurchaseStatus,
  type SessionSnapshot,
} from './purchase.ts';

const now = new Date('2026-11-22T12:00:00Z');

const free = { isTaken: false, isStopped: false };

const aPurchase = (status: PurchaseStatus, parts: Partial<PackagePurchase> = {}): PackagePurchase => ({
  purchaseId: 'pp-1',
  orderId: '0123456789abcdef01234567',
  photoPackageType: 'lifetime',
  priceId: 'price_1',
  amountMinor: 3500,
  currency: 'USD',
  customer: { name: 'Ana', email: 'ana@arboleda.test' },
  language: 'es',
  status,
  revision: 0,
  sessionId: status === 'creating' ? undefined : 'cs_1',
  createdAt: new Date(0),
  ...parts,
});

const seen = (
  outcome: SessionSnapshot['outcome'],
  parts: Partial<SessionSnapshot> = {},
): SessionSnapshot => ({
  sessionId: 'cs_1',
  purchaseId: 'pp-1',
  outcome,
  checkoutUrl: 'https://checkout.test/cs_1',
  amountMinor: 3500,
  currency: 'USD',
  intentId: 'pi_1',
  ...parts,
});

const become = (status: PurchaseStatus, outcome: SessionSnapshot['outcome'], around = free) =>
  observeSession(aPurchase(status), seen(outcome), around, now)?.purchase.status;

describe('the sale of a package', () => {
  test('is open once its session exists, and keeps the URL of the page', () => {
    expect(observeSession(aPurchase('creating'), seen('open'), free, now)).toMatchObject({
      purchase: { status: 'open', sessionId: 'cs_1', checkoutUrl: 'https://checkout.test/cs_1' },
      events: [],
    });
  });

  test.each<PurchaseStatus>(['creating', 'open', 'processing', 'expired', 'failed'])(
    'that is %s becomes active when it is paid, which is published',
    (status) => {
      const decision = observeSession(aPurchase(status), seen('paid'), free, now);
      expect(decision).toMatchObject({
        purchase: { status: 'active', transactionId: 'pi_1', purchasedAt: now },
        events: [{ type: 'photo_package.purchased', data: { purchaseId: 'pp-1', transactionId: 'pi_1' } }],
      });
    },
  );

  test('is published as the recipient’s when the recipient of the gift bought it', () => {
    const published = (parts: Partial<PackagePurchase>) =>
      observeSession(aPurchase('open', parts), seen('paid'), free, now)!.events[0]!.data;
    expect(published({ recipientAccountId: 'account-1' })).toHaveProperty('byRecipient', true);
    expect(published({})).not.toHaveProperty('byRecipient');
  });

  test.each([
    ['another package is active', { isTaken: true, isStopped: false }],
    ['the order was given back or withdrawn from', { isTaken: false, isStopped: true }],
  ])('that was paid while %s is refunded, and is not published', (_what, around) => {
    expect(observeSession(aPurchase('open'), seen('paid'), around, now)).toMatchObject({
      purchase: { status: 'surplus', transactionId: 'pi_1' },
      events: [],
    });
  });

  test.each([[{ amountMinor: 350 }], [{ currency: 'COP' }]])(
    'that was paid with %j is for people to look at',
    (other) => {
      expect(observeSession(aPurchase('open'), seen('paid', other), free, now)).toMatchObject({
        purchase: {
          status: 'mismatched',
          transactionId: 'pi_1',
          received: { amountMinor: 3500, currency: 'USD', ...other },
        },
        events: [],
      });
    },
  );

  test.each<[PurchaseStatus, SessionSnapshot['outcome'], PurchaseStatus | undefined]>([
    ['open', 'expired', 'expired'],
    ['open', 'processing', 'processing'],
    ['processing', 'processing', undefined],
    ['processing', 'failed', 'failed'],
    ['open', 'open', undefined],
    ['expired', 'open', undefined],
    ['active', 'expired', undefined],
    ['active', 'paid', undefined],
    ['completed', 'paid', undefined],
    ['surplus', 'paid', undefined],
    ['mismatched', 'paid', undefined],
  ])('that is %s and shows itself %s becomes %s', (status, outcome, expected) => {
    expect(become(status, outcome)).toBe(expected);
  });

  test('ignores a session that names the purchase but is not its own', () => {
    expect(observeSession(aPurchase('open'), seen('paid', { sessionId: 'cs_2' }), free, now)).toBeUndefined();
  });
});

const logger = pino({ level: 'silent' });

const prices = { first_year: 'price_1', lifetime: 'price_2' };

function open(answer: (priceId: string) => Promise<{ amountMinor: number; currency: string }>) {
  let nowMs = 0;
  const asked: string[] = [];
  const catalogue = openCatalogue({
    prices,
    logger,
    clock: () => new Date(nowMs),
    provider: { price: (priceId) => (asked.push(priceId), answer(priceId)) },
  });
  return { catalogue, asked, later: (ms: number) => void (nowMs += ms) };
}

const inDollars = async () => ({ amountMinor: 1500, currency: 'USD' });

test('packages with a configured price are offered, others are not', async () => {
  const { catalogue } = open(inDollars);
  expect(await catalogue.list()).toEqual([
    { photoPackageType: 'first_year', priceId: 'price_1', amount: 1500, currency: 'USD' },
    { photoPackageType: 'lifetime', priceId: 'price_2', amount: 1500, currency: 'USD' },
  ]);
  expect(catalogue.typeOf('price_2')).toBe('lifetime');
  expect(catalogue.typeOf('price_3')).toBeUndefined();
});

test('Stripe is asked once per price', async () => {
  const { catalogue, asked, later } = open(inDollars);
  for (let times = 0; times < 3; times++) await catalogue.list();
  expect(asked).toEqual(['price_1', 'price_2']);
  later(24 * 60 * 60_000);
  await catalogue.price('price_1');
  expect(asked).toHaveLength(2);
});

test('when Stripe is unavailable, listing shows no amounts and does not retry at once; buying does', async () => {
  let isAway = true;
  const { catalogue, asked, later } = open(async () => {
    if (isAway) throw new Error('away');
    return inDollars();
  });
  for (let times = 0; times < 3; times++) {
    expect((await catalogue.list())[0]).toEqual({ photoPackageType: 'first_year', priceId: 'price_1' });
  }
  expect(asked).toHaveLength(2);
  later(15_001);
  await catalogue.list();
  expect(asked).toHaveLength(4);
  isAway = false;
  expect((await catalogue.price('price_1')).amountMinor).toBe(1500);
});

test('a price in an unsupported currency cannot be sold', async () => {
  const { catalogue } = open(async () => ({ amountMinor: 1, currency: 'XAU' }));
  await expect(catalogue.price('price_1')).rejects.toThrow('the price price_1 is in XAU');
});

describe('a package whose money was refunded', () => {
  const follow = (status: PurchaseStatus, isGivenBack: boolean, isTaken = false) =>
    followAccount(aPurchase(status), { isGivenBack, isTaken }, now);

  test('stops, and becomes active again when the refund fails', () => {
    const stopped = follow('active', true)!;
    expect(stopped).toMatchObject({
      purchase: { status: 'stopped', revision: 1 },
      events: [
        {
          type: 'photo_package.status_changed',
          data: { purchaseId: 'pp-1', status: 'stopped', revision: 1, at: now.toISOString() },
        },
      ],
    });
    expect(followAccount(stopped.purchase, { isGivenBack: false, isTaken: false }, now)).toMatchObject({
      purchase: { status: 'active', revision: 2 },
      events: [{ data: { status: 'active', revision: 2 } }],
    });
  });

  test('stays stopped when another package has replaced it', () => {
    expect(follow('stopped', false, true)).toBeUndefined();
  });

  test.each<[PurchaseStatus, boolean]>([
    ['active', false],
    ['stopped', true],
    ['completed', true],
    ['surplus', true],
    ['mismatched', true],
    ['open', true],
  ])('that is %s, given back %s: nothing changes', (status, isGivenBack) => {
    expect(follow(status, isGivenBack)).toBeUndefined();
  });

  test('is not sold again by later snapshots of its session', () => {
    expect(observeSession(aPurchase('stopped'), seen('paid'), free, now)).toBeUndefined();
  });
});
