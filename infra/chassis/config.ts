import { z } from 'zod';

/** The environment, or what a test puts in its place. */
export type Environment = Record<string, string | undefined>;

/** Stops the start with one sentence for each wrong variable. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'ConfigError';
  }
}

/** Reads variables by a schema whose keys are their names. Empty strings count as not set. @throws ConfigError */
export function readEnvironment<Shape extends z.ZodRawShape>(
  env: Environment,
  shape: Shape,
): z.infer<z.ZodObject<Shape>> {
  const set = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  );
  const result = z.object(shape).safeParse(set);
  if (result.success) return result.data;
  throw new ConfigError(
    result.error.issues.map(({ path, message }) => {
      const name = path.join('.');
      return `${name}: ${name in set ? message : 'must be set'}`;
    }),
  );
}

/** Where another process answers by HTTP. */
export const url = z.url({ protocol: /^https?$/, message: 'must be an http or https address' });
export const port = z.coerce.number().int().min(0).max(65535);
export const flag = z.enum(['true', 'false']).transform((value) => value === 'true');
/** At least 32 characters, so that it cannot be guessed. */
export const secret = z.string().min(32, 'must have at least 32 characters');

export interface ServiceConfig {
  host: string;
  /** 0 takes a free one. */
  port: number;
  logLevel: string;
  /** Where the public keys that sign people's tokens are. */
  jwksUrl: string;
  /** Signs the tokens by which services know each other. */
  serviceSecret: string;
  serviceUrls: ServiceUrls;
  platform: PlatformConfig;
}

/** Where the other services answer; only those that are called must be there. */
export interface ServiceUrls {
  auth?: string | undefined;
  pricing?: string | undefined;
  payments?: string | undefined;
  orders?: string | undefined;
  assignments?: string | undefined;
  media?: string | undefined;
  notifications?: string | undefined;
}

/** Engines, chosen by the environment: see docs of each variable in .env.example. */
export interface PlatformConfig {
  databaseUrl: string;
  /** Where files are kept when there is no S3_ENDPOINT. */
  objectsDir: string;
  smtpUrl: string;
  mailFrom: string;
}

export const serviceShape = {
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(0),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  SERVICE_SECRET: secret,
  DATABASE_URL: z.string().min(1, 'must name a PostgreSQL database'),
  OBJECTS_DIR: z.string().default('.data/objects'),
  SMTP_URL: z.string().default('smtp://127.0.0.1:1025'),
  MAIL_FROM: z.string().default('Arboleda <hola@arboleda.test>'),
  AUTH_URL: url,
  PRICING_URL: url.optional(),
  PAYMENTS_URL: url.optional(),
  ORDERS_URL: url.optional(),
  ASSIGNMENTS_URL: url.optional(),
  MEDIA_URL: url.optional(),
  NOTIFICATIONS_URL: url.optional(),
};

/** The part of the environment that all services read alike. @throws ConfigError */
export function serviceConfig(env: Environment): ServiceConfig {
  const read = readEnvironment(env, serviceShape);
  return {
    host: read.HOST,
    port: read.PORT,
    logLevel: read.LOG_LEVEL,
    jwksUrl: new URL('/internal/jwks', read.AUTH_URL).href,
    serviceSecret: read.SERVICE_SECRET,
    serviceUrls: {
      auth: read.AUTH_URL,
      pricing: read.PRICING_URL,
      payments: read.PAYMENTS_URL,
      orders: read.ORDERS_URL,
      assignments: read.ASSIGNMENTS_URL,
      media: read.MEDIA_URL,
      notifications: read.NOTIFICATIONS_URL,
    },
    platform: {
      databaseUrl: read.DATABASE_URL,
      objectsDir: read.OBJECTS_DIR,
      smtpUrl: read.SMTP_URL,
      mailFrom: read.MAIL_FROM,
    },
  };
}
