import {
  callsInFlight,
  type Environment,
  MAX_CALLS_IN_FLIGHT,
  port,
  rateScale,
  readEnvironment,
  timeZone,
  url,
} from '@arboleda/chassis/config.ts';
import { type Organisation, organisationOf } from '@arboleda/chassis/organisation.ts';
import { isProduction, rateScaleWeaknesses, refuseWeakness } from '@arboleda/chassis/production.ts';
import { type Claim, CLAIM_NAMES, CLAIMS } from '@arboleda/contracts/claims.ts';
import { type ServiceName, SERVICES, urlVariable } from '@arboleda/contracts/services.ts';
import { STRIPE_SCRIPT_URL } from '@arboleda/contracts/stripe.ts';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseTrustedProxies, trustsTooMany, type TrustedProxies } from './caller/address.ts';

export interface GatewayConfig {
  host: string;
  port: number;
  logLevel: string;
  /** The public URL of the site; https there enables HSTS. */
  siteUrl: string;
  /** The seller, as pages name it. */
  organisation: Organisation;
  /** Claims that the organization leaves out of its pages. */
  claimsOff: readonly Claim[];
  serviceUrls: Record<ServiceName, string>;
  web: WebSource;
  stripe: { scriptUrl: string; apiUrl: string };
  /** Peers whose headers about the caller's address, protocol and country are trusted. */
  trustedProxies: TrustedProxies;
  /** The header with a trusted CDN's country code, lower case. */
  countryHeader: string | undefined;
  limits: GatewayLimits;
  /** Database for rate limits shared by all gateways; without it each gateway counts alone. */
  rateLimitDatabaseUrl?: string | undefined;
  /** Trace collector; tracing is off when absent. */
  otlpEndpoint?: string | undefined;
  /** Address of /metrics; off when absent. Never on the public port. */
  metrics?: { host: string; port: number };
}

/** The built web app in a folder, or Vite's development server. */
export type WebSource = { distDir: string } | { devUrl: string };

export interface GatewayLimits {
  /** Calls a minute from one address to endpoints without a limit of their own. */
  callsPerMinute: number;
  /** Multiplies every rate limit; 0 turns them off. */
  rateScale: number;
  /** Longer than a busy database takes to count a call; without its answer the gateway counts alone. */
  countWithinMs: number;
  upstreamTimeoutMs: number;
  uploadTimeoutMs: number;
  /** Timeouts for receiving the headers and the whole request. */
  headersTimeoutMs: number;
  requestTimeoutMs: number;
  maxConnections: number;
  /** Concurrent calls waiting for services; further ones are shed. */
  maxCallsInFlight: number;
  /** How long a stopping gateway still serves, while /readyz fails. */
  drainMs: number;
}

export const DEFAULT_LIMITS: GatewayLimits = {
  callsPerMinute: 1200,
  rateScale: 1,
  countWithinMs: 2_000,
  upstreamTimeoutMs: 10_000,
  // 15 MB of photos over a slow mobile connection.
  uploadTimeoutMs: 300_000,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 300_000,
  maxConnections: 10_000,
  maxCallsInFlight: MAX_CALLS_IN_FLIGHT,
  drainMs: 0,
};

const BUILT_WEB_APP = fileURLToPath(new URL('../web/dist/client', import.meta.url));

const serviceUrlShape = Object.fromEntries(SERVICES.map((name) => [urlVariable(name), url])) as Record<
  ReturnType<typeof urlVariable<ServiceName>>,
  typeof url
>;

const onOrOff = z.enum(['on', 'off'], 'must be on or off').default('on');

const shape = {
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(8080),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  NODE_ENV: z.string().optional(),
  SITE_URL: url,
  ORGANISATION_TIME_ZONE: timeZone,
  OFFER: onOrOff,
  HECTARES: onOrOff,
  CO2_CLAIMS: onOrOff,
  WEB_DIST_DIR: z.string().default(BUILT_WEB_APP),
  WEB_DEV_URL: url.optional(),
  STRIPE_SCRIPT_URL: url.default(STRIPE_SCRIPT_URL),
  STRIPE_API_URL: url.default('https://api.stripe.com'),
  TRUSTED_PROXIES: z.string().default(''),
  TRUSTED_COUNTRY_HEADER: z
    .string()
    .toLowerCase()
    .regex(/^[a-z0-9-]+$/, 'must be the name of a header')
    .optional(),
  RATE_LIMIT_SCALE: rateScale,
  RATE_LIMIT_DATABASE_URL: z
    .url({ protocol: /^postgres(ql)?$/, message: 'must be a postgres:// address' })
    .optional(),
  MAX_CALLS_IN_FLIGHT: callsInFlight,
  DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(0),
  OTEL_EXPORTER_OTLP_ENDPOINT: url.optional(),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: port.optional(),
  ...serviceUrlShape,
};

function unfitForProduction(env: Environment, read: z.infer<z.ZodObject<typeof shape>>): string[] {
  const { RATE_LIMIT_SCALE: scale, WEB_DEV_URL: devUrl, TRUSTED_PROXIES: proxies } = read;
  return [
    ...rateScaleWeaknesses(env, scale),
    ...(devUrl ? ['WEB_DEV_URL: the development server has no place in production'] : []),
    ...(trustsTooMany(proxies) ? ['TRUSTED_PROXIES: a block so wide lets anybody say who they are'] : []),
  ];
}

/** @throws ConfigError that names each variable at fault */
export function gatewayConfig(env: Environment): GatewayConfig {
  const read = readEnvironment(env, shape);
  if (isProduction(env)) refuseWeakness(env, ...unfitForProduction(env, read));
  return {
    host: read.HOST,
    port: read.PORT,
    logLevel: read.LOG_LEVEL,
    siteUrl: read.SITE_URL,
    organisation: organisationOf(env),
    claimsOff: CLAIM_NAMES.filter((name) => read[CLAIMS[name]] === 'off'),
    serviceUrls: Object.fromEntries(
      SERVICES.map((name) => [name, read[urlVariable(name)]]),
    ) as GatewayConfig['serviceUrls'],
    web: read.WEB_DEV_URL ? { devUrl: read.WEB_DEV_URL } : { distDir: read.WEB_DIST_DIR },
    stripe: { scriptUrl: read.STRIPE_SCRIPT_URL, apiUrl: read.STRIPE_API_URL },
    trustedProxies: parseTrustedProxies(read.TRUSTED_PROXIES),
    countryHeader: read.TRUSTED_COUNTRY_HEADER,
    otlpEndpoint: read.OTEL_EXPORTER_OTLP_ENDPOINT,
    limits: {
      ...DEFAULT_LIMITS,
      rateScale: read.RATE_LIMIT_SCALE,
      maxCallsInFlight: read.MAX_CALLS_IN_FLIGHT,
      drainMs: read.DRAIN_SECONDS * 1000,
    },
    rateLimitDatabaseUrl: read.RATE_LIMIT_DATABASE_URL,
    ...(read.METRICS_PORT !== undefined && {
      metrics: { host: read.METRICS_HOST, port: read.METRICS_PORT },
    }),
  };
}
