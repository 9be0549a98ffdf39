import type { Environment } from '@arboleda/chassis/environment.ts';
import { publicHalfOf } from '@arboleda/chassis/keys.ts';
import { DOCUMENT_SERVICES, OBJECT_SERVICES, SERVICES, SQL_SERVICES } from '@arboleda/contracts/services.ts';
import { STRIPE_SCRIPT_URL } from '@arboleda/contracts/stripe.ts';
import {
  DEMO_BANK,
  DEMO_PRICES,
  serviceKeysIn,
  serviceKeyVariables,
  withoutEmpty,
} from '@arboleda/cli/embedded/environment.ts';
import { newSecrets } from '@arboleda/cli/embedded/secrets.ts';
import { createHmac, randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseEnv } from 'node:util';

const upperCase = (name: string) => name.toUpperCase();

/** May read the figures of each engine and nothing else. */
const MONITORING = 'MONITORING';
/** SQL services and the gateway's rate limits: a database and a role each. */
const POSTGRES_USERS = [...SQL_SERVICES.map(upperCase), 'GATEWAY', MONITORING];
/** A user per service, and ADMIN, which creates topics and ACLs. */
const KAFKA_USERS = ['ADMIN', MONITORING, ...SERVICES.map(upperCase)];
/** Document services: a database and a user each. */
const MONGODB_USERS = [...DOCUMENT_SERVICES.map(upperCase), MONITORING];
/** Services with objects: a bucket and a user each. */
const MINIO_USERS = [...OBJECT_SERVICES.map(upperCase), MONITORING];

/** Used once there is a secret key. https://docs.stripe.com/js/including */
const STRIPE = {
  STRIPE_API_URL: 'https://api.stripe.com',
  STRIPE_SCRIPT_URL,
};

/** A local inbox receives emails until a mail server is set. */
const INBOX = { COMPOSE_PROFILES: 'inbox' };

/** base64url needs no escaping in URLs. */
const password = () => randomBytes(24).toString('base64url');

/** 2100-01-01: the token lasts as long as its password. */
const TOKEN_EXPIRES_AT_S = 4_102_444_800;

/** Prometheus' token for MinIO: a JWT of the user, signed with its password, as `mc admin prometheus generate` makes it. */
function metricsToken(user: string, secret: string): string {
  const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = `${encoded({ alg: 'HS512', typ: 'JWT' })}.${encoded({ iss: 'prometheus', sub: user, exp: TOKEN_EXPIRES_AT_S })}`;
  return `${signed}.${createHmac('sha512', secret).update(signed).digest('base64url')}`;
}

/** Values that docker compose requires: random, or visibly fictional. */
export function freshValues(): Record<string, string> {
  const secrets = newSecrets();
  return {
    ...serviceKeyVariables(secrets.serviceKeys),
    QUOTE_SECRET: secrets.quoteSecret,
    ORDER_TOKEN_SECRET: secrets.orderTokenSecret,
    CERTIFICATE_KEY: secrets.certificateKey,
    AUTH_SECOND_FACTOR_KEY: secrets.secondFactorKey,
    MAIL_TOKEN_PRIVATE_KEY: secrets.mailTokenPrivateKey,
    MAIL_TOKEN_PUBLIC_KEY: publicHalfOf(secrets.mailTokenPrivateKey),
    DEMO_PASSWORD: secrets.demoPassword,
    POSTGRES_PASSWORD: secrets.postgresPassword,
    ...Object.fromEntries(POSTGRES_USERS.map((user) => [`POSTGRES_${user}_PASSWORD`, password()])),
    ...Object.fromEntries(KAFKA_USERS.map((user) => [`KAFKA_${user}_PASSWORD`, password()])),
    MONGODB_ROOT_PASSWORD: password(),
    ...Object.fromEntries(MONGODB_USERS.map((user) => [`MONGODB_${user}_PASSWORD`, password()])),
    MINIO_ROOT_USER: 'arboleda',
    MINIO_ROOT_PASSWORD: password(),
    ...Object.fromEntries(MINIO_USERS.map((user) => [`MINIO_${user}_PASSWORD`, password()])),
    CONTAINER_CPUS: String(availableParallelism() - 0.5),
    GRAFANA_PASSWORD: password(),
    STRIPE_SANDBOX_SECRET_KEY: secrets.stripeSecretKey,
    STRIPE_SANDBOX_PUBLISHABLE_KEY: secrets.stripePublishableKey,
    STRIPE_SANDBOX_WEBHOOK_SECRET: secrets.stripeWebhookSecret,
    ...DEMO_BANK,
  };
}

export interface CompletedFile {
  text: string;
  /** Names of the variables that were added. */
  added: string[];
  usesSandbox: boolean;
}

/**
 * Completes the text of an .env file and keeps existing settings. Only the payment provider and its prices follow
 * STRIPE_SECRET_KEY, and the inbox follows SMTP_URL, as these may be added or removed later.
 * @param env the environment, which overrides the file, as in docker compose
 */
export function completeFile(text: string, env: Environment, values = freshValues()): CompletedFile {
  const set = (parsed: Environment, name: string) => Boolean(env[name] || parsed[name]);
  const usesSandbox = !set(parseEnv(text), 'STRIPE_SECRET_KEY');
  const usesInbox = !set(parseEnv(text), 'SMTP_URL');
  const keys = serviceKeysIn({ ...parseEnv(text), ...withoutEmpty(env) }, serviceKeysIn(values));
  const { MAIL_TOKEN_PUBLIC_KEY: former } = parseEnv(text);
  const privateKey = env.MAIL_TOKEN_PRIVATE_KEY || parseEnv(text).MAIL_TOKEN_PRIVATE_KEY;
  const kept = withoutDecided(text, {
    ...(usesSandbox ? STRIPE : DEMO_PRICES),
    ...(!usesInbox && INBOX),
    // Useless without its private half.
    ...(!privateKey && former && { MAIL_TOKEN_PUBLIC_KEY: former }),
  });
  const known = parseEnv(kept);
  const pair = privateKey ? { MAIL_TOKEN_PUBLIC_KEY: publicHalfOf(privateKey) } : {};
  const wanted = { ...values, ...pair, ...(usesSandbox ? DEMO_PRICES : STRIPE), ...(usesInbox && INBOX) };
  const { SERVICE_PUBLIC_KEYS } = serviceKeyVariables(keys);
  const minioPassword =
    env.MINIO_MONITORING_PASSWORD || known.MINIO_MONITORING_PASSWORD || values.MINIO_MONITORING_PASSWORD!;
  const decided = {
    SERVICE_PUBLIC_KEYS,
    MINIO_METRICS_TOKEN: metricsToken('monitoring', minioPassword),
    STRIPE_SANDBOX_REPLICAS: usesSandbox ? '1' : '0',
  };
  const added = Object.entries(wanted).filter(([name]) => !(name in decided) && !set(known, name));
  const lines = [...added, ...Object.entries(decided)];
  return {
    text: `${kept}${lines.map(([name, value]) => `${name}="${value}"\n`).join('')}`,
    added: added.map(([name]) => name),
    usesSandbox,
  };
}

const DECIDED = ['SERVICE_PUBLIC_KEYS', 'MINIO_METRICS_TOKEN', 'STRIPE_SANDBOX_REPLICAS'];

/** The text without the lines that are decided on each run, and without empty settings that are added. */
function withoutDecided(text: string, decided: Record<string, string>): string {
  const gone = Object.entries(decided);
  const lines = text.split('\n').filter((line) => {
    const [name, value] = Object.entries(parseEnv(line))[0] ?? [];
    if (name === undefined) return true;
    if (DECIDED.includes(name)) return false;
    return !gone.some(([key, former]) => key === name && former === value);
  });
  const kept = lines.join('\n');
  return kept === '' || kept.endsWith('\n') ? kept : `${kept}\n`;
}
