import {
  type Environment,
  readEnvironment,
  secret,
  serviceConfig,
  ConfigError,
  url,
  type ServiceConfig,
} from '@arboleda/chassis/config.ts';
import { privateKeyOf, publicKeyOf } from '@arboleda/chassis/keys.ts';
import type { KeyObject } from 'node:crypto';
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
  /** Where certificates lead, and whose did:web issues them. */
  siteUrl: string;
  /** Signs certificates. */
  certificateKey: KeyObject;
  /** Public halves of the keys that signed before. */
  formerCertificateKeys: readonly KeyObject[];
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
    SITE_URL: url,
    CERTIFICATE_KEY: privateKeyOf('ed25519'),
    CERTIFICATE_FORMER_KEYS: z
      .string()
      .transform((text) => text.split(',').map((key) => key.trim()))
      .pipe(z.array(publicKeyOf('ed25519')))
      .default([]),
  });
  refuseWeakness(env, ...exampleOrganisation(env));
  const config = serviceConfig(env, 'orders');
  if (read.CERTIFICATE_KEY.equals(config.serviceKeys.own))
    throw new ConfigError(['CERTIFICATE_KEY: must not be the same as another key']);
  return {
    ...config,
    orderTokenSecret: read.ORDER_TOKEN_SECRET,
    statsBaselineTrees: read.STATS_BASELINE_TREES,
    statsCacheMs: STATS_CACHE_MS,
    organisation: organisationOf(env),
    siteUrl: read.SITE_URL,
    certificateKey: read.CERTIFICATE_KEY,
    formerCertificateKeys: read.CERTIFICATE_FORMER_KEYS,
  };
}
