import { currency } from '@arboleda/contracts/fields.ts';
import { BASE_CURRENCY } from '@arboleda/contracts/packages.ts';
import { z } from 'zod';
import type { RateProvider } from './rates.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 100_000;

const rates = z
  .record(z.string(), z.number())
  .transform((all) =>
    Object.fromEntries(Object.entries(all).filter(([code]) => currency.safeParse(code).success)),
  );
const base = z.literal(BASE_CURRENCY);

/**
 * Formats of Frankfurter (https://frankfurter.dev) and ExchangeRate-API
 * (https://www.exchangerate-api.com/docs/free).
 */
const answer = z.union([
  z.object({ base, date: z.iso.date(), rates }),
  z
    .object({
      result: z.literal('success'),
      base_code: base,
      time_last_update_unix: z.int().positive(),
      rates,
    })
    .transform(({ time_last_update_unix: seconds, rates: offered }) => ({
      date: new Date(seconds * 1000).toISOString().slice(0, 10),
      rates: offered,
    })),
]);

/**
 * Rates from a URL that returns JSON `{ base: "USD", date, rates: { COP: 4115, … } }`, or ExchangeRate-API's
 * format.
 */
export const httpRates = (url: string): RateProvider => ({
  async fetch() {
    const response = await fetch(url, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`the provider of rates answered ${response.status}`);
    const { date, rates: offered } = answer.parse(JSON.parse(await boundedText(response)));
    return { asOf: date, source: new URL(url).hostname, rates: offered };
  },
});

/** Reads up to the largest plausible size of a table. */
async function boundedText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`the provider of rates sent more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
