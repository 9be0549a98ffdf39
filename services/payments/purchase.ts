import type { Api } from '@arboleda/contracts/api.ts';
import { priceOf } from '@arboleda/contracts/packages.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import type { QuoteClaims } from '@arboleda/contracts/quote.ts';
import { type Language, languageOf } from '@arboleda/contracts/roles.ts';
import { createHash } from 'node:crypto';
import type { Ids } from './ids.ts';
import type { Purchase } from './payment.ts';

export type PurchaseRequest = Api['POST /api/pricing/create-payment-intent']['body'];

/** A grove is five trees, and so on. @throws Problem of `trees` */
export function checkPackage({ packageType, trees, currency }: PurchaseRequest): void {
  if (!priceOf(packageType, trees, 1, currency)) throw fieldProblem('trees', 'invalid');
}

/** What is bought, at the quote's rate. @throws Problem when the quote is of another currency, as of `currency` when that is not offered now. */
export function purchaseOf(
  request: PurchaseRequest,
  quote: QuoteClaims,
  ids: Ids,
  readerLanguage: Language,
): Purchase {
  const { packageType, trees, currency } = request;
  // A buyer without a quote gets one in dollars when the rate of their currency is too old.
  if (quote.currency !== currency)
    throw request.quote ? new Problem('quote-invalid') : fieldProblem('currency', 'invalid');
  const price = priceOf(packageType, trees, quote.rate, currency);
  if (!price) throw fieldProblem('trees', 'invalid');
  const locale = wellFormed(request.locale);
  return {
    ...ids,
    packageType,
    trees,
    amountMinor: price.amountMinor,
    currency,
    quote: { id: quote.jti, rate: quote.rate, ratesAsOf: quote.ratesAsOf },
    customer: {
      name: request.customerName,
      email: request.customerEmail,
      country: quote.country,
    },
    language: locale ? languageOf(locale) : readerLanguage,
    locale,
  };
}

function wellFormed(locale: string | undefined): string | undefined {
  try {
    return locale && Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}

/** The same for requests that ask for the same, in whatever order their fields came. */
export const requestHash = (request: PurchaseRequest): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64url');
