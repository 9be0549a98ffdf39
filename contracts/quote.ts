import { z } from 'zod';
import { currency, id } from './fields.ts';

export const QUOTE_SECONDS = 30 * 60;

/** Issuer and audience of a quote. */
export const QUOTE_ISSUER = 'pricing';
export const QUOTE_AUDIENCE = 'payments';
/** JSON Web Signature with a secret shared by pricing and payments only. */
export const QUOTE_ALGORITHM = 'HS256';

/** A quote fixes a currency and a rate; priceOf derives the amounts. */
export const quoteClaims = z.object({
  jti: id,
  currency,
  /** ISO 3166 code of the buyer's country, as pricing determined it. */
  country: z.string().length(2),
  /** Units of the currency per dollar. */
  rate: z.number().positive(),
  ratesAsOf: z.string(),
});
export type QuoteClaims = z.infer<typeof quoteClaims>;
