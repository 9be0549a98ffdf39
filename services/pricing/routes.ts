import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import { COUNTRIES, type Country, type Currency } from '@arboleda/contracts/countries.ts';
import type { pricingEndpoints } from '@arboleda/contracts/endpoints/pricing.ts';
import {
  currencySymbol,
  formatWithSymbol,
  localise,
  maxCardAmount,
  minorPerMajor,
} from '@arboleda/contracts/money.ts';
import { BASE_PRICE_CENTS } from '@arboleda/contracts/packages.ts';
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { PricingConfig } from './config.ts';
import { visitorCountry } from './country.ts';
import { packagePrices, photoPackagePrices } from './packages.ts';
import { signQuote } from './quote.ts';
import { ageDays, type RateTable } from './rates.ts';

export function routes(parts: {
  /** The table that prices are made of now. */
  rates: () => Promise<RateTable>;
  config: Pick<PricingConfig, 'quoteSecret' | 'trustedCountryHeader'>;
  clock: () => Date;
}): Handlers<typeof pricingEndpoints> {
  const { rates, config, clock } = parts;

  const age = ({ asOf }: RateTable) => ({ ratesAsOf: asOf, ratesAgeDays: ageDays(asOf, clock()) });

  const countryOfVisitor = (headers: IncomingHttpHeaders): Country => {
    const trusted = config.trustedCountryHeader && headers[config.trustedCountryHeader];
    return visitorCountry({
      trustedHeader: typeof trusted === 'string' ? trusted : undefined,
      acceptLanguage: headers['accept-language'],
    });
  };

  async function quoteIn(currency: Currency, country: Country, shown: boolean) {
    const table = await rates();
    const rate = table.rates[currency];
    const claims = { jti: randomUUID(), currency, rate, ratesAsOf: table.asOf };
    const signed = await signQuote(
      shown ? { ...claims, country: country.code } : claims,
      config.quoteSecret,
      clock(),
    );
    return {
      currency,
      country: country.name,
      exchangeRate: rate,
      ...age(table),
      ratesSource: table.source,
      ...signed,
    };
  }

  return {
    async 'GET /api/pricing/dynamic'({ headers, language }) {
      const country = countryOfVisitor(headers);
      const { currency } = country;
      const table = await rates();
      const rate = table.rates[currency];
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
        ...age(table),
      };
    },
    async 'GET /api/pricing/packages'({ headers, query }) {
      const country = countryOfVisitor(headers);
      const currency = query.currency ?? country.currency;
      const quoted = await quoteIn(currency, country, true);
      return {
        ...quoted,
        cardMaxAmount: maxCardAmount(currency),
        packages: packagePrices(quoted.exchangeRate, currency),
        photoPackages: photoPackagePrices(quoted.exchangeRate, currency),
      };
    },
    'POST /internal/quotes': ({ body }) =>
      quoteIn(body.currency, COUNTRIES.find((one) => one.currency === body.currency) ?? COUNTRIES[0]!, false),
  };
}
