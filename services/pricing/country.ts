import { type Country, countryOf } from '@arboleda/contracts/countries.ts';
import type { Visitor } from '@arboleda/contracts/visitor.ts';

/**
 * The country of a visitor: from a trusted CDN, else the region of the preferred language ("es-CO"), else the
 * United States.
 */
export const visitorCountry = ({ country, acceptLanguage }: Visitor): Country =>
  countryOf(knownCode(country) ?? preferredRegion(acceptLanguage));

/** CDNs send XX for unknown, and T1 for Tor. */
function knownCode(header: string | undefined): string | undefined {
  const code = header?.trim().toUpperCase();
  return code && /^[A-Z]{2}$/.test(code) && code !== 'XX' ? code : undefined;
}

/** The region of the most preferred language that has one: CO of "es-CO,es;q=0.9,en-US;q=0.8". */
function preferredRegion(acceptLanguage: string | undefined): string | undefined {
  return (acceptLanguage ?? '')
    .split(',')
    .map(readLanguage)
    .filter(({ weight, region }) => weight > 0 && region !== undefined)
    .sort((a, b) => b.weight - a.weight)[0]?.region;
}

function readLanguage(range: string): { region: string | undefined; weight: number } {
  const [tag = '', ...parameters] = range.split(';').map((part) => part.trim());
  const quality = parameters.find((parameter) => /^q=/i.test(parameter));
  return {
    region: /^[a-z]{2,3}(?:-[a-z]{4})?-([a-z]{2})(?:-|$)/i.exec(tag)?.[1],
    weight: quality ? Number(quality.slice(2)) || 0 : 1,
  };
}
