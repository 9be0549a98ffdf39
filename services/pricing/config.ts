import {
  type Environment,
  readEnvironment,
  secret,
  serviceConfig,
  type ServiceConfig,
  url,
} from '@arboleda/chassis/config.ts';
import { z } from 'zod';

export interface PricingConfig extends ServiceConfig {
  /** Signs quotes; payments knows it too. */
  quoteSecret: string;
  /** A provider of rates; without one the committed table is all there is. */
  ratesUrl: string | undefined;
  ratesRefreshMs: number;
  /** After a first failure; see RefreshPace. */
  ratesRetryMs: number;
  /** How long this process may price with the rates it last read. */
  ratesCacheMs: number;
}

const RATES_RETRY_MS = 60_000;
const RATES_CACHE_MS = 5_000;

const shape = {
  QUOTE_SECRET: secret,
  RATES_URL: url.optional(),
  RATES_REFRESH_SECONDS: z.coerce.number().int().min(60).default(6 * 60 * 60),
}; // prettier-ignore

/** @throws ConfigError */
export function pricingConfig(env: Environment): PricingConfig {
  const read = readEnvironment(env, shape);
  return {
    ...serviceConfig(env),
    quoteSecret: read.QUOTE_SECRET,
    ratesUrl: read.RATES_URL,
    ratesRefreshMs: read.RATES_REFRESH_SECONDS * 1000,
    ratesRetryMs: RATES_RETRY_MS,
    ratesCacheMs: RATES_CACHE_MS,
  };
}
