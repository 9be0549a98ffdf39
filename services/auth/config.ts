import {
  ConfigError,
  type Environment,
  readEnvironment,
  secret,
  type ServiceConfig,
  serviceConfig,
} from '@arboleda/chassis/config.ts';
import { isProduction, isPublicProduction } from '@arboleda/chassis/production.ts';
import { publicKeyOf } from '@arboleda/chassis/keys.ts';
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import { readSigningKey } from './sessions/keys.ts';
import { PASSWORD_COST, type PasswordCost } from './passwords/passwords.ts';

export interface AuthConfig extends ServiceConfig {
  passwordCost: PasswordCost;
  /** Signs tokens of people; when absent, one is generated at the first start and stored in the database. */
  signingKey?: KeyObject | undefined;
  secondFactorKey: string;
  /** Seals the tokens of emailed links for notifications. */
  mailTokenKey: KeyObject;
  /** Days for which expired links and known networks are kept. */
  retention: { linkDays: number; logInDays: number };
  /** Refuses demo accounts, whose password is printed at startup, on public installations. */
  refusesDemoAccounts: boolean;
}

const shape = {
  AUTH_SIGNING_KEY: z.string().optional(),
  AUTH_SECOND_FACTOR_KEY: secret,
  MAIL_TOKEN_PUBLIC_KEY: publicKeyOf('x25519'),
  LINK_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(90),
  LOG_IN_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(90),
};

const costShape = {
  AUTH_PASSWORD_MEMORY_KIB: z.coerce.number().int().min(8).max(1_048_576).default(PASSWORD_COST.memoryKib),
  AUTH_PASSWORD_PASSES: z.coerce.number().int().min(1).max(20).default(PASSWORD_COST.passes),
};

/** @throws ConfigError that names the variable; in production also for a cost below OWASP's */
export function authConfig(env: Environment): AuthConfig {
  const base = serviceConfig(env, 'auth');
  const read = readEnvironment(env, shape);
  const passwordCost = passwordCostOf(env);
  return {
    ...base,
    passwordCost,
    retention: { linkDays: read.LINK_RETENTION_DAYS, logInDays: read.LOG_IN_RETENTION_DAYS },
    secondFactorKey: read.AUTH_SECOND_FACTOR_KEY,
    mailTokenKey: read.MAIL_TOKEN_PUBLIC_KEY,
    refusesDemoAccounts: isPublicProduction(env),
    signingKey: read.AUTH_SIGNING_KEY === undefined ? undefined : signingKey(read.AUTH_SIGNING_KEY),
  };
}

export function passwordCostOf(env: Environment): PasswordCost {
  const read = readEnvironment(env, costShape);
  const cost = { memoryKib: read.AUTH_PASSWORD_MEMORY_KIB, passes: read.AUTH_PASSWORD_PASSES };
  if (isProduction(env)) refuseCheap(cost);
  return cost;
}

function refuseCheap(cost: PasswordCost): void {
  const faults = [
    ...(cost.memoryKib < PASSWORD_COST.memoryKib
      ? [`AUTH_PASSWORD_MEMORY_KIB: must be at least ${PASSWORD_COST.memoryKib} in production`]
      : []),
    ...(cost.passes < PASSWORD_COST.passes
      ? [`AUTH_PASSWORD_PASSES: must be at least ${PASSWORD_COST.passes} in production`]
      : []),
  ];
  if (faults.length > 0) throw new ConfigError(faults);
}

function signingKey(text: string): KeyObject {
  const key = readSigningKey(text);
  if (!key) throw new ConfigError(['AUTH_SIGNING_KEY: must be an Ed25519 private key, as PKCS8 PEM or JWK']);
  return key;
}
