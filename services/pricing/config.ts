import {
  type Environment,
  readEnvironment,
  secret,
  serviceConfig,
  type ServiceConfig,
  url,
} from '@arboleda/chassis/config.ts';
import { isPublicProduction } from '@arboleda/chassis/production.ts';
import { z } from 'zod';
import { OFFERED_FOR_DAYS } from './rates/rates.ts';

export interface PricingConfig extends ServiceConfig {
  /** Shared with payments, which verifies quotes. */
  quoteSecret: string;
  /** A provider of rates. */
  ratesUrl: string | undefined;
  /** No money is real and there is no provider: the first start dates the committed rates. */
  isTrial: boolean;
  ratesRefreshMs: number;
  /** After a first failure; see RefreshPace. */
  ratesRetryMs: number;
  /** How long this process may use the rates it last read. */
  ratesCacheMs: number;
  /** Age in days after which operators are alerted. */
  ratesAlertAfterDays: number;
  /** Maximum age in days of rates for prices; older ones fall back to dollars. */
  ratesOfferedForDays: number;
}

const RATES_RETRY_MS = 60_000;
const RATES_CACHE_MS = 5_000;

const shape = {
  QUOTE_SECRET: secret,
  RATES_URL: url.optional(),
  RATES_REFRESH_SECONDS: z.coerce
    .number()
    .int()
    .min(60)
    .default(6 * 60 * 60),
  RATES_ALERT_AFTER_DAYS: z.coerce.number().int().min(1).max(30).default(OFFERED_FOR_DAYS),
};

export function pricingConfig(env: Environment): PricingConfig {
  const read = readEnvironment(env, shape);
  return {
    ...serviceConfig(env, 'pricing'),
    quoteSecret: read.QUOTE_SECRET,
    ratesUrl: read.RATES_URL,
    ratesRefreshMs: read.RATES_REFRESH_SECONDS * 1000,
    ratesRetryMs: RATES_RETRY_MS,
    ratesCacheMs: RATES_CACHE_MS,
    isTrial: read.RATES_URL === undefined && !isPublicProduction(env),
    // Later than the last day of prices it would warn of nothing.
    ratesAlertAfterDays: Math.min(read.RATES_ALERT_AFTER_DAYS, OFFERED_FOR_DAYS),
    ratesOfferedForDays: OFFERED_FOR_DAYS,
  };
}
