import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { amountMinor, currency, instant, packageType } from '../fields.ts';

const quoted = {
  currency,
  country: z.string(),
  exchangeRate: z.number().positive(),
  /** The day the rates are of, and where they come from. */
  ratesAsOf: z.string(),
  ratesSource: z.string(),
  /** Signed by us; to be handed back when paying. Carries currency, rate and expiry. */
  quote: z.string(),
  expiresAt: instant,
};

export const pricingEndpoints = {
  'GET /api/pricing/dynamic': endpoint({
    service: 'pricing',
    summary: 'The price of a tree in the visitor’s currency',
    access: 'public',
    response: z.object({
      currency,
      country: z.string(),
      countryCode: z.string(),
      exchangeRate: z.number().positive(),
      /** Major units, as the product spec shows them: 5 and 20575. */
      basePrice: z.number(),
      localPrice: z.number(),
      formatted: z.string(),
      symbol: z.string(),
      flag: z.string(),
    }),
  }),
  'GET /api/pricing/packages': endpoint({
    service: 'pricing',
    summary:
      'Every package in the visitor’s currency, with a signed quote that keeps the prices for 30 minutes',
    access: 'public',
    query: z.object({ currency: currency.optional() }),
    response: z.object({
      ...quoted,
      packages: z.array(
        z.object({
          packageType,
          /** For `custom` one tree: it costs its unit amount times the count. */
          trees: z.int(),
          amount: amountMinor,
          unitAmount: amountMinor,
          savingAmount: amountMinor,
        }),
      ),
    }),
  }),
  'POST /internal/quotes': endpoint({
    service: 'pricing',
    summary: 'A fresh quote in a currency, for a buyer who came without one',
    access: 'service',
    body: z.object({ currency }),
    response: z.object(quoted),
  }),
};
