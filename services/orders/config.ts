import {
  type Environment,
  readEnvironment,
  secret,
  serviceConfig,
  type ServiceConfig,
} from '@arboleda/chassis/config.ts';
import { z } from 'zod';
import { exampleOrganisation, type Organisation, organisationOf } from '@arboleda/chassis/organisation.ts';
import { refuseWeakness } from '@arboleda/chassis/production.ts';

export interface OrdersConfig extends ServiceConfig {
  /** Trees planted before this software counted them; added to the public counter. */
  statsBaselineTrees: number;
  /** Maximum age of the public counter. */
  statsCacheMs: number;
  /** Derives the tokens of private order links. */
  orderTokenSecret: string;
  organisation: Organisation;
}

/** Default from product spec section 9. */
const DEFAULT_BASELINE_TREES = 50_000;
const STATS_CACHE_MS = 3_000;

/**
 * STATS_BASELINE_TREES: a whole number, 50000 by default.
 * @throws ConfigError naming the variable
 */
export function ordersConfig(env: Environment): OrdersConfig {
  const read = readEnvironment(env, {
    STATS_BASELINE_TREES: z.coerce.number().int().min(0).default(DEFAULT_BASELINE_TREES),
    ORDER_TOKEN_SECRET: secret,
  });
  refuseWeakness(env, ...exampleOrganisation(env));
  return {
    ...serviceConfig(env, 'orders'),
    orderTokenSecret: read.ORDER_TOKEN_SECRET,
    statsBaselineTrees: read.STATS_BASELINE_TREES,
    statsCacheMs: STATS_CACHE_MS,
    organisation: organisationOf(env),
  };
}
