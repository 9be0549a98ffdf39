import { ConfigError, type Environment } from './environment.ts';

/** Whether NODE_ENV says so, real money is taken, or other machines can connect. */
export const isProduction = (env: Environment): boolean => productionBecause(env) !== undefined;

/** @returns the beginning of a sentence; undefined outside production */
export function productionBecause(env: Environment): string | undefined {
  if (env.NODE_ENV === 'production') return 'NODE_ENV is production';
  return publicBecause(env);
}

/** Catches a production environment that forgot to set NODE_ENV. */
function publicBecause(env: Environment): string | undefined {
  const live = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY'].find((name) => /_live_/.test(env[name] ?? ''));
  if (live) return `${live} is a live key, which takes real money`;
  // Invalid addresses are rejected where they are read.
  if (URL.canParse(env.SITE_URL ?? '') && !isLoopback(env.SITE_URL!))
    return 'SITE_URL is an address that others reach';
  const host = env.PUBLISHED_HOST || env.HOST;
  return host && !isLoopback(`http://${host.includes(':') ? `[${host}]` : host}`)
    ? 'HOST lets other machines in'
    : undefined;
}

/** Signing and encryption secrets; each must be different. */
const SECRETS = ['QUOTE_SECRET', 'ORDER_TOKEN_SECRET', 'AUTH_SECOND_FACTOR_KEY', 'MAIL_BOUNCE_SECRET'];
const ADDRESSES = ['DATABASE_URL', 'RATE_LIMIT_DATABASE_URL', 'MONGODB_URL', 'SMTP_URL'];
const PASSWORDS = ['S3_SECRET_KEY', 'KAFKA_PASSWORD'];

/** Defaults of examples, images and manuals, which attackers try first. */
const WELL_KNOWN = new Set(
  'admin administrator arboleda change changeme changeit demo default example guest minio minioadmin mongo mongodb pass passw0rd password postgres postgresql root secret test user 12345678 123456'.split(
    ' ',
  ),
);
const PLACEHOLDER = /change|default|example|insecure|password|placeholder|secret/i;
/** Words and years with separators. */
const SENTENCE = /\s|^[A-Z]?[a-z]{2,}([-_.,;:]+([A-Z]?[a-z]+|\d+))+$/;
/**
 * NIST SP 800-57 part 1 asks for 112 bits. A random 32-digit hex string has 128 and measures about 115; below 96 is
 * one in 10,000, below 84 one in a million. So random secrets pass.
 */
const MIN_BITS = 72;

/** Whether a secret looks typed, or copied from an example. */
export const isGuessable = (text: string): boolean =>
  PLACEHOLDER.test(text) || SENTENCE.test(text) || repeats(text) || bitsOf(text) < MIN_BITS;

/** Shannon entropy over its characters. Random texts come close to their true entropy, typed ones stay far below. */
function bitsOf(text: string): number {
  const counts = Map.groupBy(text, (character) => character).values();
  return [...counts].reduce((bits, { length }) => bits - length * Math.log2(length / text.length), 0);
}

const LONGEST_PERIOD = 16;

/** Whether the text repeats a period of up to LONGEST_PERIOD characters. */
function repeats(text: string): boolean {
  for (let period = 1; period <= LONGEST_PERIOD; period++)
    if (text.startsWith(text.slice(period))) return true;
  return false;
}

const isWellKnown = (password: string, user: string): boolean =>
  password === user || WELL_KNOWN.has(password.toLowerCase());

/** Whether an address is on this machine: a rehearsal that nobody else can reach. */
export const isLoopback = (address: string): boolean =>
  /^((.+\.)?localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(URL.parse(address)?.hostname ?? '');

/** Production that other people reach, with real money and addresses. */
export const isPublicProduction = (env: Environment): boolean => publicBecause(env) !== undefined;

/** Reasons why a production environment is weak, one sentence each. They name variables, never values. */
export function weaknesses(env: Environment): string[] {
  if (!isProduction(env)) return [];
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value)) as Record<string, string>;
  const secrets = SECRETS.filter((name) => set[name]);
  return [
    ...secrets.filter((name) => isGuessable(set[name]!)).map((name) => `${name}: ${GUESSABLE}`),
    ...secrets
      .filter((name, index) => secrets.findIndex((other) => set[other] === set[name]) < index)
      .map((name) => `${name}: must not be the same as another secret`),
    ...ADDRESSES.filter((name) => set[name] && hasWellKnownPassword(set[name])).map(
      (name) => `${name}: its password is one that everybody tries`,
    ),
    ...PASSWORDS.filter((name) => set[name] && isWellKnown(set[name], '')).map(
      (name) => `${name}: is one that everybody tries`,
    ),
    ...(isPublicProduction(env) ? publicWeaknesses(set) : []),
  ];
}

const GUESSABLE = 'could be guessed: make a random one, for example by "openssl rand -base64 48"';

/** A regular expression, because addresses with several hosts are not valid URLs. */
function hasWellKnownPassword(address: string): boolean {
  const [, user = '', password = ''] = /^[^:]+:\/\/([^:@/]*):([^@/]*)@/.exec(address) ?? [];
  return password !== '' && isWellKnown(password, user);
}

const STRIPE_HOSTS = { STRIPE_API_URL: 'api.stripe.com', STRIPE_SCRIPT_URL: 'js.stripe.com' };

const publicWeaknesses = (set: Record<string, string>): string[] => [
  ...(set.SITE_URL?.startsWith('https:') ? [] : ['SITE_URL: must be an https address in production']),
  ...Object.entries(STRIPE_HOSTS)
    .filter(([name, host]) => set[name] && URL.parse(set[name])?.origin !== `https://${host}`)
    .map(([name, host]) => `${name}: must be at https://${host} in production`),
];

/** Higher limits would not stop password guessing or card testing. */
const MAX_RATE_SCALE = 10;

/** Reasons why production refuses a RATE_LIMIT_SCALE. */
export function rateScaleWeaknesses(env: Environment, scale: number): string[] {
  if (!isProduction(env)) return [];
  if (scale === 0) return ['RATE_LIMIT_SCALE: rate limits cannot be turned off in production'];
  // A load test on one machine may exceed it.
  return scale > MAX_RATE_SCALE && isPublicProduction(env)
    ? [`RATE_LIMIT_SCALE: must be at most ${MAX_RATE_SCALE} in production`]
    : [];
}

/** @throws ConfigError that names each weak variable */
export function refuseWeakness(env: Environment, ...others: readonly string[]): void {
  const faults = [...weaknesses(env), ...others];
  if (faults.length > 0) throw new ConfigError(faults);
}
