import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { visitor } from '../visitor.ts';
import { amountMinor, currency, instant, packageType, photoPackageType } from '../fields.ts';

const ratesAge = { ratesAsOf: z.iso.date(), ratesAgeDays: z.int().min(0) };

const quoted = {
  currency,
  country: z.string(),
  exchangeRate: z.number().positive(),
  ...ratesAge,
  ratesSource: z.string(),
  /** Signed quote to send when paying. Carries currency, rate and expiry. */
  quote: z.string(),
  expiresAt: instant,
};

export const pricingEndpoints = {
  'GET /api/pricing/dynamic': endpoint({
    service: 'pricing',
    summary: 'The price of a tree in the visitor’s currency',
    access: 'public',
    /** Without a currency: that of the visitor's country. */
    query: z.object({ currency: currency.optional() }),
    /**
     * Matches the visitor's cached page: product spec section 9. The CDN supplies the country and must not
     * cache private answers.
     */
    cache: { seconds: 60 * 60, by: 'caller', vary: ['Accept-Language'] },
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
      /** The visitor's currency, when its rate is out of date and the price is therefore in dollars. */
      wantedCurrency: currency.optional(),
      ...ratesAge,
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
      /** Upper bound of one card payment in this currency. */
      cardMaxAmount: amountMinor,
      packages: z.array(
        z.object({
          packageType,
          /** One for `custom`: its price is the unit amount times the count. */
          trees: z.int(),
          amount: amountMinor,
          unitAmount: amountMinor,
          savingAmount: amountMinor,
        }),
      ),
      /** Growth updates for an existing order. */
      photoPackages: z.array(
        z.object({
          photoPackageType,
          amount: amountMinor,
          /** Price of one update. */
          unitAmount: amountMinor,
          /** Saving compared with updates of the first year. */
          savingPercent: z.int().min(1).max(99).optional(),
          popular: z.literal(true).optional(),
          updates: z.int().min(1),
          /** Months from the later of planting and purchase. */
          months: z.array(z.int().min(0)),
        }),
      ),
    }),
  }),
  'POST /internal/quotes': endpoint({
    service: 'pricing',
    summary: 'A fresh quote in a currency, for a buyer who came without one',
    access: { services: ['payments'] },
    body: z.object({ currency, visitor }),
    response: z.object(quoted),
  }),
};
