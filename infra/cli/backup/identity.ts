import type { Environment } from '@arboleda/chassis/environment.ts';
import type { Secrets } from '../embedded/secrets.ts';
import { Fault } from '../terminal/command.ts';

/**
 * Settings that belong to what was stored and sent: without them private links, certificates and second factors stop
 * working. In docker compose they are in .env; `npm start` keeps its own in secrets.json, where a name is given.
 */
const KEPT_AS: Record<string, keyof Secrets | undefined> = {
  AUTH_SIGNING_KEY: undefined,
  AUTH_SECOND_FACTOR_KEY: 'secondFactorKey',
  QUOTE_SECRET: 'quoteSecret',
  ORDER_TOKEN_SECRET: 'orderTokenSecret',
  CERTIFICATE_KEY: 'certificateKey',
  CERTIFICATE_FORMER_KEYS: undefined,
  MAIL_TOKEN_PRIVATE_KEY: 'mailTokenPrivateKey',
  MAIL_BOUNCE_SECRET: undefined,
  DEMO_PASSWORD: 'demoPassword',
  STRIPE_SANDBOX_SECRET_KEY: 'stripeSecretKey',
  STRIPE_SANDBOX_PUBLISHABLE_KEY: 'stripePublishableKey',
  STRIPE_SANDBOX_WEBHOOK_SECRET: 'stripeWebhookSecret',
};

/** Values of an installation, by the name of their setting. */
export type Identity = Record<string, string>;

/** @param secrets of `npm start`, which settings override */
export function identityIn(env: Environment, secrets: Partial<Secrets> = {}): Identity {
  const valueOf = (name: string, kept: keyof Secrets | undefined) => env[name] || (kept && secrets[kept]);
  return Object.fromEntries(
    Object.entries(KEPT_AS).flatMap(([name, kept]) => {
      const value = valueOf(name, kept);
      return typeof value === 'string' && value !== '' ? [[name, value]] : [];
    }),
  );
}

/** The content of a restored installation's secrets.json; the first start adds the rest. */
export const secretsOf = (identity: Identity): Partial<Secrets> =>
  Object.fromEntries(
    Object.entries(KEPT_AS).flatMap(([name, kept]) =>
      kept && identity[name] !== undefined ? [[kept, identity[name]]] : [],
    ),
  );

/** Values that only settings can hold, as lines of an .env file; none when secrets.json holds all. */
export const settingsOf = (identity: Identity): string =>
  Object.entries(KEPT_AS)
    .flatMap(([name, kept]) =>
      kept === undefined && identity[name] !== undefined ? [`${name}="${identity[name]}"\n`] : [],
    )
    .join('');

/** @throws Fault when a setting would take the place of a value of the backup */
export function requireSameIdentity(env: Environment, identity: Identity): void {
  const others = Object.entries(identity).flatMap(([name, value]) =>
    env[name] && env[name] !== value ? [name] : [],
  );
  if (others.length > 0)
    throw new Fault(
      `${others.join(', ')}: set here to another value than in the backup, whose links and certificates would stop working. Remove it from .env and restore again.`,
    );
}

/** The text of an .env file with the values of a backup in place of its own. */
export function withIdentity(text: string, identity: Identity): string {
  const lines = text.split('\n').filter((line) => {
    const name = /^\s*(?:export\s+)?([A-Z0-9_]+)\s*=/.exec(line)?.[1];
    return name === undefined || !(name in identity);
  });
  // Follows from its private half.
  const kept = lines.filter(
    (line) => !line.startsWith('MAIL_TOKEN_PUBLIC_KEY=') || !identity.MAIL_TOKEN_PRIVATE_KEY,
  );
  const body = kept.join('\n').replace(/\n*$/, '\n');
  return `${body}${Object.entries(identity)
    .map(([name, value]) => `${name}="${value}"\n`)
    .join('')}`;
}
