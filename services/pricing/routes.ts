import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Country, Currency } from '@arboleda/contracts/countries.ts';
import type { pricingEndpoints } from '@arboleda/contracts/endpoints/pricing.ts';
import {
  currencySymbol,
  formatWithSymbol,
  localise,
  maxCardAmount,
  minorPerMajor,
} from '@arboleda/contracts/money.ts';
import { BASE_PRICE_CENTS } from '@arboleda/contracts/packages.ts';
import { visitorOf } from '@arboleda/contracts/visitor.ts';
import { randomUUID } from 'node:crypto';
import type { PricingConfig } from './config.ts';
import { visitorCountry } from './country.ts';
import { packagePrices, photoPackagePrices } from './packages.ts';
import { signQuote } from './quote.ts';
import { ageDays, dayOf, offeredCurrency, type RateTable } from './rates/rates.ts';

export function routes(parts: {
  rates: () => Promise<RateTable>;
  config: Pick<PricingConfig, 'quoteSecret' | 'ratesOfferedForDays'>;
  clock: () => Date;
}): Handlers<typeof pricingEndpoints> {
  const { rates, config, clock } = parts;

  /** The rate of a currency; of the dollar, when the currency's rate is too old. */
  async function current(wanted: Currency) {
    const table = await rates();
    const currency = offeredCurrency(table, wanted, config.ratesOfferedForDays, clock());
    const ratesAsOf = dayOf(table, currency);
    const age = { ratesAsOf, ratesAgeDays: ageDays(ratesAsOf, clock()) };
    return { currency, rate: table.rates[currency], source: table.source, age };
  }

  async function quoteIn(wanted: Currency, country: Country) {
    const { currency, rate, source, age } = await current(wanted);
    const signed = await signQuote(
      { jti: randomUUID(), currency, rate, ratesAsOf: age.ratesAsOf, country: country.code },
      config.quoteSecret,
      clock(),
    );
    return {
      currency,
      country: country.name,
      exchangeRate: rate,
      ...age,
      ratesSource: source,
      ...signed,
    };
  }

  return {
    async 'GET /api/pricing/dynamic'({ headers, language, query }) {
      const country = visitorCountry(visitorOf(headers));
      const wanted = query.currency ?? country.currency;
      const { currency, rate, age } = await current(wanted);
      const localMinor = localise(BASE_PRICE_CENTS, rate, currency);
      return {
        currency,
        country: country.name,
        countryCode: country.code,
        exchangeRate: rate,
        basePrice: BASE_PRICE_CENTS / 100,
        localPrice: localMinor / minorPerMajor(currency),
        formatted: formatWithSymbol(localMinor, currency, language),
        symbol: currencySymbol(currency),
        flag: country.flag,
        ...(wanted !== currency && { wantedCurrency: wanted }),
        ...age,
      };
    },
    async 'GET /api/pricing/packages'({ headers, query }) {
      const country = visitorCountry(visitorOf(headers));
      const quoted = await quoteIn(query.currency ?? country.currency, country);
      const { currency } = quoted;
      return {
        ...quoted,
        cardMaxAmount: maxCardAmount(currency),
        packages: packagePrices(quoted.exchangeRate, currency),
        photoPackages: photoPackagePrices(quoted.exchangeRate, currency),
      };
    },
    'POST /internal/quotes': ({ body }) => quoteIn(body.currency, visitorCountry(body.visitor)),
  };
}
