import { type ServiceName, SERVICES, urlVariable } from '@arboleda/contracts/services.ts';
import { z } from 'zod';
import {
  callsInFlight,
  type Environment,
  ConfigError,
  port,
  readEnvironment,
  timeZone,
  url,
} from './environment.ts';
import {
  isOwnKeyKnown,
  type ServiceKeys,
  servicePrivateKey,
  servicePublicKeys,
} from './http/service-token.ts';
import { type PlatformConfig, platformConfig, platformShape } from './platform-config.ts';
import { refuseWeakness } from './production.ts';

export {
  callsInFlight,
  ConfigError,
  type Environment,
  flag,
  MAX_CALLS_IN_FLIGHT,
  port,
  rateScale,
  readEnvironment,
  secret,
  timeZone,
  url,
} from './environment.ts';
export type { PlatformConfig } from './platform-config.ts';

export interface ServiceConfig {
  host: string;
  /** 0 picks a free port. */
  port: number;
  logLevel: string;
  /** How long a stopping service still answers, while /readyz sends callers elsewhere. */
  drainMs: number;
  /** Concurrent requests; more are rejected. */
  maxCallsInFlight: number;
  /** URL of the public keys that sign people's tokens. */
  jwksUrl: string;
  serviceKeys: ServiceKeys;
  serviceUrls: ServiceUrls;
  /** OTLP collector; no traces when absent. */
  otlpEndpoint?: string | undefined;
  platform: PlatformConfig;
}

/** Base URLs of other services; only those that are called must be set. */
export type ServiceUrls = { [Name in ServiceName]?: string | undefined };

const optionalUrl = url.optional();
const serviceUrlShape = Object.fromEntries(
  SERVICES.map((name) => [urlVariable(name), optionalUrl]),
) as Record<ReturnType<typeof urlVariable<ServiceName>>, typeof optionalUrl>;

const serviceShape = {
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(0),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SERVICE_KEY: servicePrivateKey,
  SERVICE_PUBLIC_KEYS: servicePublicKeys,
  ORGANISATION_TIME_ZONE: timeZone,
  ...serviceUrlShape,
  AUTH_URL: url,
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  MAX_CALLS_IN_FLIGHT: callsInFlight,
  DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(0),
  ...platformShape,
};

/** Configuration common to all services. @throws ConfigError, in production also for weak settings */
export function serviceConfig(env: Environment, name: ServiceName): ServiceConfig {
  const read = readEnvironment(env, serviceShape);
  refuseWeakness(env);
  const serviceKeys = { own: read.SERVICE_KEY, known: read.SERVICE_PUBLIC_KEYS };
  if (!isOwnKeyKnown(serviceKeys, name))
    throw new ConfigError([
      `SERVICE_KEY: is not the private half of a key of ${name} in SERVICE_PUBLIC_KEYS`,
    ]);
  return {
    host: read.HOST,
    port: read.PORT,
    logLevel: read.LOG_LEVEL,
    drainMs: read.DRAIN_SECONDS * 1000,
    maxCallsInFlight: read.MAX_CALLS_IN_FLIGHT,
    jwksUrl: new URL('/internal/jwks', read.AUTH_URL).href,
    serviceKeys,
    serviceUrls: Object.fromEntries(SERVICES.map((name) => [name, read[urlVariable(name)]])),
    otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
    platform: platformConfig(read),
  };
}
