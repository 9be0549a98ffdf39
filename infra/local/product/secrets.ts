import { newServiceKeys } from '@arboleda/chassis/http/service-token.ts';
import { newKey } from '@arboleda/chassis/keys.ts';
import type { Caller } from '@arboleda/contracts/services.ts';
import { randomBytes, randomInt } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';

/** Made once for each data folder; nothing of them is known outside it. */
export interface Secrets {
  /** By which services know each other. */
  serviceKeys: Record<Caller, string>;
  /** Keeps admins' second factors. */
  secondFactorKey: string;
  quoteSecret: string;
  orderTokenSecret: string;
  /** Opens the tokens of mailed links; auth is given its public half. */
  mailTokenPrivateKey: string;
  postgresPassword: string;
  stripeSecretKey: string;
  stripePublishableKey: string;
  stripeWebhookSecret: string;
  /** Of the demo accounts, when DEMO_PASSWORD says nothing. */
  demoPassword: string;
}

const random = (bytes: number) => randomBytes(bytes).toString('base64url');
const letters = (bytes: number) => randomBytes(bytes).toString('hex');

export const newSecrets = (): Secrets => ({
  serviceKeys: newServiceKeys(),
  secondFactorKey: random(32),
  quoteSecret: random(32),
  orderTokenSecret: random(32),
  mailTokenPrivateKey: newKey('x25519'),
  postgresPassword: random(24),
  stripeSecretKey: `sk_test_${letters(16)}`,
  stripePublishableKey: `pk_test_${letters(16)}`,
  stripeWebhookSecret: `whsec_${letters(16)}`,
  demoPassword: speakable(),
});

const WORDS = [
  'ceiba',
  'guayacan',
  'roble',
  'cedro',
  'palma',
  'nogal',
  'samán',
  'yarumo',
  'laurel',
  'aliso',
  'encenillo',
  'arrayan',
  'colibri',
  'tucan',
  'oso',
  'danta',
  'rio',
  'monte',
  'niebla',
  'paramo',
  'valle',
  'semilla',
  'raiz',
  'hoja',
].map((word) => word.normalize('NFD').replace(/\p{M}/gu, ''));

/** Short enough to be typed from the screen: "ceiba-niebla-4821-roble". */
function speakable(): string {
  const word = () => WORDS[randomInt(WORDS.length)]!;
  return `${word()}-${word()}-${randomInt(1000, 10_000)}-${word()}`;
}

/** Reads the secrets of a data folder, making what is not there yet. The file is for its owner alone. */
export async function keepSecrets(file: string): Promise<Secrets> {
  const known = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Partial<Secrets>) : {};
  const fresh = newSecrets();
  const secrets = { ...fresh, ...known, serviceKeys: { ...fresh.serviceKeys, ...known.serviceKeys } };
  await writeFile(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return secrets;
}
