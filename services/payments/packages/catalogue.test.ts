import { expect, test } from '@jest/globals';
import { pino } from 'pino';
import { openCatalogue } from './catalogue.ts';

const logger = pino({ level: 'silent' });
const prices = { first_year: 'price_1', lifetime: 'price_2' };

function open(answer: (priceId: string) => Promise<{ amountMinor: number; currency: string }>) {
  let nowMs = 0;
  const asked: string[] = [];
  const catalogue = openCatalogue({
    ...{ prices, logger, clock: () => new Date(nowMs) },
    provider: { price: (priceId) => (asked.push(priceId), answer(priceId)) },
  });
  return { catalogue, asked, later: (ms: number) => void (nowMs += ms) };
}
const inDollars = async () => ({ amountMinor: 1500, currency: 'USD' });

test('what is configured is offered, and nothing else', async () => {
  const { catalogue } = open(inDollars);
  expect(await catalogue.list()).toEqual([
    { photoPackageType: 'first_year', priceId: 'price_1', amount: 1500, currency: 'USD' },
    { photoPackageType: 'lifetime', priceId: 'price_2', amount: 1500, currency: 'USD' },
  ]);
  expect(catalogue.typeOf('price_2')).toBe('lifetime');
  expect(catalogue.typeOf('price_3')).toBeUndefined();
});

test('Stripe is asked once', async () => {
  const { catalogue, asked, later } = open(inDollars);
  for (let times = 0; times < 3; times++) await catalogue.list();
  expect(asked).toEqual(['price_1', 'price_2']);
  later(24 * 60 * 60_000);
  await catalogue.price('price_1');
  expect(asked).toHaveLength(2);
});

test('while Stripe is away, who looks sees no amounts and does not ask again at once; who buys does', async () => {
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

test('a price in a currency that we do not know cannot be sold', async () => {
  const { catalogue } = open(async () => ({ amountMinor: 1, currency: 'XAU' }));
  await expect(catalogue.price('price_1')).rejects.toThrow('the price price_1 is in XAU');
});
