import { currency } from '@arboleda/contracts/fields.ts';
import { BASE_CURRENCY } from '@arboleda/contracts/packages.ts';
import { z } from 'zod';
import type { RateProvider } from './rates.ts';

const TIMEOUT_MS = 5_000;
const MAX_BYTES = 100_000;

/** What a provider answers, e.g. https://api.frankfurter.dev/v1/latest?base=USD ; currencies we do not charge are dropped. */
const answer = z.object({
  base: z.literal(BASE_CURRENCY),
  date: z.iso.date(),
  rates: z
    .record(z.string(), z.number())
    .transform((rates) =>
      Object.fromEntries(Object.entries(rates).filter(([code]) => currency.safeParse(code).success)),
    ),
});

/** Rates from an address that answers JSON `{ base: "USD", date, rates: { COP: 4115, … } }`. */
export const httpRates = (url: string): RateProvider => ({
  async fetch() {
    const response = await fetch(url, {
      headers: { Accept: 'application/json' },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!response.ok) throw new Error(`the provider of rates answered ${response.status}`);
    const { date, rates } = answer.parse(JSON.parse(await boundedText(response)));
    return { asOf: date, source: new URL(url).hostname, rates };
  },
});

/** Reads no further than a table of rates can reach. */
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
