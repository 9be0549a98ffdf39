import type { OrderTokens } from '@arboleda/chassis/order-token.ts';
import { priceOf } from '@arboleda/contracts/packages.ts';
import { fieldProblem, Problem } from '@arboleda/contracts/problems.ts';
import { detailsOf, type Purchase, type PurchaseRequest } from '@arboleda/contracts/purchase.ts';
import {
  QUOTE_ALGORITHM,
  QUOTE_AUDIENCE,
  QUOTE_ISSUER,
  type QuoteClaims,
  quoteClaims,
} from '@arboleda/contracts/quote.ts';
import { type Language, languageOf } from '@arboleda/contracts/roles.ts';
import { errors, jwtVerify } from 'jose';
import { createHash, randomBytes, randomUUID } from 'node:crypto';

/** A grove is five trees, and so on. @throws Problem at `trees` */
export function checkPackage({ packageType, trees, currency }: PurchaseRequest): void {
  if (!priceOf(packageType, trees, 1, currency)) throw fieldProblem('trees', 'invalid');
}

/**
 * Builds the purchase at the quote's rate. @throws Problem when the quote has another currency; at `currency`
 * when that is not offered now
 */
export function purchaseOf(
  request: PurchaseRequest,
  quote: QuoteClaims,
  ids: Ids,
  readerLanguage: Language,
): Purchase {
  const { packageType, trees, currency } = request;
  // Without a quote from the browser, the price is in dollars when the rate of the currency is too old.
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
    ...(request.gift && { gift: request.gift }),
    ...detailsOf(request),
  };
}

function wellFormed(locale: string | undefined): string | undefined {
  try {
    return locale && Intl.getCanonicalLocales(locale)[0];
  } catch {
    return undefined;
  }
}

/** Hash of a request, independent of the order of its fields. */
export const requestHash = (request: PurchaseRequest): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(request).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest('base64url');

/** Ids of a payment and its order. The token gives access to the order. */
type Ids = Pick<Purchase, 'paymentId' | 'orderId' | 'orderToken'>;

export function newIds(tokenOf: OrderTokens): Ids {
  const orderId = randomBytes(12).toString('hex');
  return { paymentId: randomUUID(), orderId, orderToken: tokenOf(orderId) };
}

/** Derives ids from the request, so a retry reuses Stripe's idempotency key. */
export function idsOf(words: string, tokenOf: OrderTokens): Ids {
  const hash = createHash('sha256').update(words).digest();
  const orderId = hash.subarray(16, 28).toString('hex');
  return { paymentId: uuidOf(hash.subarray(0, 16)), orderId, orderToken: tokenOf(orderId) };
}

/** RFC 9562, version 8: 122 custom bits. */
function uuidOf(bytes: Buffer): string {
  const own = Buffer.from(bytes);
  own[6] = (own[6]! & 0x0f) | 0x80;
  own[8] = (own[8]! & 0x3f) | 0x80;
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Verifies a quote. @throws Problem `quote-expired`, or `quote-invalid` when pricing did not sign it */
export async function readQuote(quote: string, secret: string, now: Date): Promise<QuoteClaims> {
  const { payload } = await jwtVerify(quote, new TextEncoder().encode(secret), {
    algorithms: [QUOTE_ALGORITHM],
    issuer: QUOTE_ISSUER,
    audience: QUOTE_AUDIENCE,
    requiredClaims: ['exp', 'jti'],
    currentDate: now,
  }).catch((cause: unknown) => {
    throw new Problem(cause instanceof errors.JWTExpired ? 'quote-expired' : 'quote-invalid', { cause });
  });
  const claims = quoteClaims.safeParse(payload);
  if (!claims.success) throw new Problem('quote-invalid', { cause: claims.error });
  return claims.data;
}
