import { z } from 'zod';
import { currency, id } from './fields.ts';

/** How long the price a buyer has seen is kept. */
export const QUOTE_SECONDS = 30 * 60;

/** Who signs a quote and who takes it. */
export const QUOTE_ISSUER = 'pricing';
export const QUOTE_AUDIENCE = 'payments';
/** JSON Web Signature, the secret known to pricing and payments alone. */
export const QUOTE_ALGORITHM = 'HS256';

/** What a quote promises: a currency at a rate. Amounts follow from it by priceOf. */
export const quoteClaims = z.object({
  /** The quote's id. */
  jti: id,
  currency,
  /** ISO 3166 code of the buyer's country, as pricing tells it. */
  country: z.string().length(2),
  /** Units of the currency for one dollar. */
  rate: z.number().positive(),
  ratesAsOf: z.string(),
});
export type QuoteClaims = z.infer<typeof quoteClaims>;
