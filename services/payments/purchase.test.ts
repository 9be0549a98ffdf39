import type { QuoteClaims } from '@arboleda/contracts/quote.ts';
import { describe, expect, test } from '@jest/globals';
import { checkPackage, purchaseOf, requestHash, type PurchaseRequest } from './purchase.ts';

const request: PurchaseRequest = {
  trees: 5,
  packageType: 'grove',
  currency: 'COP',
  customerEmail: 'ana@arboleda.test',
  customerName: 'Ana García',
  locale: 'es-co',
};
const quote: QuoteClaims = {
  jti: 'q-1',
  currency: 'COP',
  country: 'CO',
  rate: 4115,
  ratesAsOf: '2026-11-20',
};
const ids = { paymentId: 'p-1', orderId: '0'.repeat(24), orderToken: 'A'.repeat(22) };

describe('what is bought', () => {
  test('costs what the quote promised, and keeps the quote', () => {
    expect(purchaseOf(request, quote, ids, 'en')).toEqual({
      ...ids,
      packageType: 'grove',
      trees: 5,
      amountMinor: 8_230_000,
      currency: 'COP',
      quote: { id: 'q-1', rate: 4115, ratesAsOf: '2026-11-20' },
      customer: { name: 'Ana García', email: 'ana@arboleda.test', country: 'CO' },
      language: 'es',
      locale: 'es-CO',
    });
  });

  test.each([
    ['es-419', 'es', 'es-419'],
    ['en', 'en', 'en'],
    ['fr-FR', 'en', 'fr-FR'],
    ['not a tag', 'es', undefined],
    ['\u0000', 'es', undefined],
    [undefined, 'es', undefined],
  ] as const)('of a browser that says %j, by a reader of Spanish, speaks %s', (locale, language, kept) => {
    const purchase = purchaseOf({ ...request, locale }, quote, ids, 'es');
    expect(purchase).toMatchObject({ language });
    expect(purchase.locale).toBe(kept);
  });

  test('by someone who came without a quote is of no country', () => {
    const { country: _country, ...unseen } = quote;
    expect(purchaseOf(request, unseen, ids, 'en').customer).not.toHaveProperty('country');
  });

  test('needs a quote of its own currency', () => {
    expect(() => purchaseOf({ ...request, currency: 'USD' }, quote, ids, 'en')).toThrow(
      expect.objectContaining({ type: 'quote-invalid' }),
    );
  });
});

describe('package and count', () => {
  test.each([
    ['individual', 1],
    ['grove', 5],
    ['patch', 20],
    ['custom', 7],
  ] as const)('%s is sold as %d trees', (packageType, trees) => {
    expect(() => checkPackage({ ...request, packageType, trees })).not.toThrow();
  });

  test.each([
    ['individual', 2],
    ['grove', 6],
    ['patch', 5],
  ] as const)('%s is not sold as %d trees', (packageType, trees) => {
    expect(() => checkPackage({ ...request, packageType, trees })).toThrow(
      expect.objectContaining({ type: 'validation-failed', fields: [{ path: 'trees', type: 'invalid' }] }),
    );
  });
});

describe('the hash of a request', () => {
  test('is the same for the same request, however its fields are ordered', () => {
    const reversed = Object.fromEntries(Object.entries(request).reverse()) as PurchaseRequest;
    expect(requestHash(reversed)).toBe(requestHash(request));
  });

  test('is another one when anything differs', () => {
    const variants: Partial<PurchaseRequest>[] = [
      { trees: 6 },
      { packageType: 'custom' },
      { currency: 'USD' },
      { customerEmail: 'eva@arboleda.test' },
      { customerName: 'Eva' },
      { locale: 'en' },
      { quote: 'x' },
    ];
    const hashes = variants.map((variant) => requestHash({ ...request, ...variant }));
    expect(new Set([...hashes, requestHash(request)]).size).toBe(variants.length + 1);
  });
});
