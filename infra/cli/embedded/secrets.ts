import { newServiceKeys } from '@arboleda/chassis/http/service-token.ts';
import { newKey } from '@arboleda/chassis/keys.ts';
import type { Caller } from '@arboleda/contracts/services.ts';
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writePrivately } from './private-file.ts';

/** Created once per data folder, and never shared. */
export interface Secrets {
  /** Keys that services authenticate with. */
  serviceKeys: Record<Caller, string>;
  /** Encrypts admins' second factors. */
  secondFactorKey: string;
  quoteSecret: string;
  orderTokenSecret: string;
  /** Signs certificates. */
  certificateKey: string;
  /** Opens the tokens of mailed links; auth gets its public half. */
  mailTokenPrivateKey: string;
  postgresPassword: string;
  stripeSecretKey: string;
  stripePublishableKey: string;
  stripeWebhookSecret: string;
  /** Password of the demo accounts, unless DEMO_PASSWORD is set. */
  demoPassword: string;
}

const random = (bytes: number) => randomBytes(bytes).toString('base64url');
const letters = (bytes: number) => randomBytes(bytes).toString('hex');

export const newPassword = (): string => random(24);

export const newSecrets = (): Secrets => ({
  serviceKeys: newServiceKeys(),
  secondFactorKey: random(32),
  quoteSecret: random(32),
  orderTokenSecret: random(32),
  certificateKey: newKey('ed25519'),
  mailTokenPrivateKey: newKey('x25519'),
  postgresPassword: newPassword(),
  stripeSecretKey: `sk_test_${letters(16)}`,
  stripePublishableKey: `pk_test_${letters(16)}`,
  stripeWebhookSecret: `whsec_${letters(16)}`,
  demoPassword: speakable(),
});

const WORDS =
  'ceiba guayacan roble cedro palma nogal saman yarumo laurel aliso encenillo arrayan colibri tucan oso danta ' +
  'rio monte niebla paramo valle semilla raiz hoja';

/** Easy to type from the screen: "ceiba-niebla-4821-roble". */
function speakable(): string {
  const words = WORDS.split(' ');
  const word = () => words[randomInt(words.length)]!;
  return `${word()}-${word()}-${randomInt(1000, 10_000)}-${word()}`;
}

/** Secrets of a data folder; undefined before the first start. */
export function readSecrets(file: string): Secrets | undefined {
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Secrets) : undefined;
}

/** Reads a data folder's secrets and creates missing ones. Only its owner can read the file. */
export async function keepSecrets(file: string): Promise<Secrets> {
  const known: Partial<Secrets> = readSecrets(file) ?? {};
  const fresh = newSecrets();
  const secrets = { ...fresh, ...known, serviceKeys: { ...fresh.serviceKeys, ...known.serviceKeys } };
  await writePrivately(file, `${JSON.stringify(secrets, null, 2)}\n`);
  return secrets;
}
