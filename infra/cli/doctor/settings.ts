import type { Environment } from '@arboleda/chassis/environment.ts';
import { unknownSeller } from '@arboleda/chassis/organisation.ts';
import { type Claim, CLAIM_NAMES, CLAIMS } from '@arboleda/contracts/claims.ts';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { stat, statfs } from 'node:fs/promises';
import { connect, isIP, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { folderFault } from '../embedded/folder-version.ts';

/** A sentence that says what is wrong and what to do, without secrets. */
export type Finding = string;

/** Findings in the settings alone. */
export function settingFindings(env: Environment): Finding[] {
  const {
    STRIPE_SECRET_KEY: secret,
    STRIPE_PUBLISHABLE_KEY: publishable = '',
    STRIPE_WEBHOOK_SECRET: webhook = '',
  } = env;
  const isLive = Boolean(secret?.includes('_live_'));
  if (!secret) return [...siteFindings(env.SITE_URL, isLive), ...sellerFindings(env), ...claimFindings(env)];
  const isPublishable = /^pk_(test|live)_\w+$/.test(publishable);
  const [mode, otherMode] = [modeOf(secret), modeOf(publishable)];
  return sentences(
    !/^[sr]k_(test|live)_\w+$/.test(secret) &&
      'STRIPE_SECRET_KEY is not a Stripe secret key (sk_test_…, sk_live_… or rk_…): copy it from the dashboard.',
    !isPublishable &&
      'STRIPE_PUBLISHABLE_KEY is not a Stripe publishable key (pk_…): copy it from the dashboard.',
    isPublishable &&
      mode !== undefined &&
      mode !== otherMode &&
      `STRIPE_SECRET_KEY is a ${mode} key and STRIPE_PUBLISHABLE_KEY a ${otherMode} key: use two of the same mode.`,
    !webhook.split(',').every((one) => /^whsec_.+/.test(one.trim())) &&
      'STRIPE_WEBHOOK_SECRET is not a signing secret (whsec_…): copy it from the webhook in Stripe’s dashboard.',
    ...siteFindings(env.SITE_URL, isLive),
    ...sellerFindings(env),
    ...claimFindings(env),
  );
}

/** Claims of this site that authorities have fined elsewhere. A lawyer has to say which rules hold for an organization. */
const CLAIM_RISKS: Record<Claim, string> = {
  offer:
    'OFFER is on: struck prices that nobody paid and a countdown that starts again each midnight have been fined as misleading in the EU (Directive 2005/29) and by the SIC in Colombia; OFFER=off shows one price and where the money goes.',
  hectares:
    'HECTARES is on: an area that nobody measured, with three hectares added, has been fined as a misleading environmental claim in the EU (Directives 2005/29 and 2024/825) and by the SIC; HECTARES=off leaves it out.',
  co2: 'CO2_CLAIMS is on: kilos and tons of CO₂ without proof have been fined as misleading environmental claims in the EU (Directives 2005/29 and 2024/825) and by the SIC; CO2_CLAIMS=off leaves them out.',
};
const BASELINE_RISK =
  'STATS_BASELINE_TREES is not set: 50,000 trees of before, which nobody can check, count as planted, and such figures have been fined in the EU (Directive 2005/29) and by the SIC; set the number that you can prove, or 0.';

function claimFindings(env: Environment): Finding[] {
  if (env.NODE_ENV !== 'production') return [];
  const made = CLAIM_NAMES.filter((name) => env[CLAIMS[name]] !== 'off');
  return sentences(...made.map((name) => CLAIM_RISKS[name]), !env.STATS_BASELINE_TREES && BASELINE_RISK);
}

/** Buyers have to know who sells: Directive 2011/83/EU, article 6, and Ley 1480 of 2011, article 50. */
function sellerFindings(env: Environment): Finding[] {
  try {
    const unknown = unknownSeller(env);
    return sentences(
      unknown.length > 0 &&
        `${unknown.join(', ')} ${unknown.length > 1 ? 'are' : 'is'} not set, so pages, receipts and emails do not say who sells: set what the law asks for.`,
    );
  } catch (error) {
    return [(error as Error).message];
  }
}

/** Leaves out what is not wrong. */
const sentences = (...all: (Finding | false)[]): Finding[] => all.filter((one) => one !== false);

function siteFindings(siteUrl: string | undefined, isLive: boolean): Finding[] {
  if (!siteUrl)
    return sentences(
      isLive &&
        'SITE_URL is not set, and payments are real: set it, or the links in emails lead to localhost.',
    );
  if (!URL.canParse(siteUrl)) return ['SITE_URL is not an address: write it like https://trees.example.'];
  const { protocol, hostname } = new URL(siteUrl);
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1';
  return sentences(
    protocol === 'http:' &&
      !isHere &&
      'SITE_URL starts with http, so passwords are sent unencrypted: get a certificate and use https.',
  );
}

const modeOf = (key: string): string | undefined => /^[srp]k_(test|live)_/.exec(key)?.[1];

/** PostgreSQL may be unable to write its log with less. */
const LEAST_FREE_BYTES = 1_000_000_000;

/** Findings about the data folder and its disk. @param leastFreeBytes for tests */
export async function folderFindings(
  dataDir: string,
  leastFreeBytes = LEAST_FREE_BYTES,
  env: Environment = {},
): Promise<Finding[]> {
  if (!existsSync(dataDir))
    return [`There is no data folder at ${dataDir}: npm start creates it, or set DATA_DIR to the right one.`];
  if (!existsSync(join(dataDir, '.arboleda')))
    return [`${dataDir} is not a data folder of Arboleda: set DATA_DIR to the right one.`];
  const { bavail, bsize } = await statfs(dataDir);
  const secrets = join(dataDir, 'secrets.json');
  const open: string[] = [];
  for (const path of [secrets, join(dataDir, 'postgres')]) if (await isOpenToOthers(path)) open.push(path);
  return sentences(
    bavail * bsize < leastFreeBytes &&
      `The disk of ${dataDir} has ${Math.floor((bavail * bsize) / 1e6)} MB left: it needs at least ${leastFreeBytes / 1e6} MB.`,
    (await folderFault(dataDir, env).catch((error: Error) => error.message)) ?? false,
    !existsSync(secrets) &&
      `${secrets} is missing, and the database cannot be opened without it: restore it from a backup.`,
    ...open.map((path) => `Other users of this machine can open ${path}: chmod go-rwx ${path}`),
  );
}

/** `.env` holds keys. */
export const envFileFindings = async (path: string): Promise<Finding[]> =>
  sentences(
    (await isOpenToOthers(path)) &&
      `Other users of this machine can read ${path}, which holds keys: chmod 600 ${path}`,
  );

const isOpenToOthers = async (path: string): Promise<boolean> =>
  existsSync(path) && ((await stat(path)).mode & 0o077) !== 0;

const WITHIN_MS = 5_000;
const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS = 14;
/** Tokens live for minutes, and webhook signatures for five. */
const MOST_SKEW_MS = 30_000;

/** A mail server greets with 220. */
export async function mailFindings(smtpUrl: string | undefined): Promise<Finding[]> {
  if (!smtpUrl) return [];
  if (!URL.canParse(smtpUrl))
    return ['SMTP_URL is not an address: write it like smtps://user:password@mail.example:465.'];
  const { protocol, hostname, port } = new URL(smtpUrl);
  const isTls = protocol === 'smtps:';
  const at = { ...hostIn(hostname), port: Number(port) || (isTls ? 465 : 25) };
  const socket = isTls ? connectTls(at) : connect(at);
  const greeting = await answerOf(socket, 'data', ([data]) => String(data));
  if (greeting === undefined)
    return [
      `The mail server at ${at.host}:${at.port} does not answer, so emails wait: check SMTP_URL and the firewall.`,
    ];
  return greeting.startsWith('220')
    ? []
    : [`The server at ${at.host}:${at.port} is not a mail server, or is not ready: check SMTP_URL.`];
}

/** Whether the payment provider accepts the key; also compares clocks. */
export async function stripeFindings(env: Environment): Promise<Finding[]> {
  if (!env.STRIPE_SECRET_KEY) return [];
  const api = env.STRIPE_API_URL || 'https://api.stripe.com';
  const asked = await fetch(new URL('/v1/balance', api), {
    headers: { Authorization: `Bearer ${env.STRIPE_SECRET_KEY}` },
    signal: AbortSignal.timeout(WITHIN_MS),
  }).catch(() => undefined);
  if (!asked)
    return [
      `Stripe at ${new URL(api).host} does not answer, so nobody can pay by card: check the network and https://status.stripe.com.`,
    ];
  await asked.arrayBuffer();
  return sentences(
    asked.status === 401 &&
      'Stripe refuses STRIPE_SECRET_KEY, so nobody can pay by card: copy the key from the dashboard again.',
    ...skewFindings(asked.headers.get('date'), new Date()),
    ...(await undeliveredFindings(api, env.STRIPE_SECRET_KEY)),
  );
}

/** Stripe delivers at once; what is older was refused or not answered. */
const DELIVERED_WITHIN_S = 600;
const DAY_S = 86_400;

/** Webhooks of the last day that Stripe could not deliver. Nothing where the key may not read events. */
async function undeliveredFindings(api: string, secretKey: string): Promise<Finding[]> {
  const nowS = Math.floor(Date.now() / 1000);
  const asked = new URL('/v1/events', api);
  asked.search = String(
    new URLSearchParams({
      delivery_success: 'false',
      'created[gte]': String(nowS - DAY_S),
      'created[lte]': String(nowS - DELIVERED_WITHIN_S),
      limit: '100',
    }),
  );
  const events = await fetch(asked, {
    headers: { Authorization: `Bearer ${secretKey}` },
    signal: AbortSignal.timeout(WITHIN_MS),
  })
    .then((answer) => answer.json() as Promise<{ data?: unknown[] }>)
    .catch(() => undefined);
  const n = events?.data?.length ?? 0;
  return sentences(
    n > 0 &&
      `Stripe could not deliver ${n === 100 ? '100 or more' : n} webhooks of the last day: check the endpoint's address at Stripe, and STRIPE_WEBHOOK_SECRET.`,
  );
}

/** @param date a server's Date header */
export function skewFindings(date: string | null, now: Date): Finding[] {
  const skewMs = date === null ? 0 : Math.abs(now.getTime() - Date.parse(date));
  return sentences(
    skewMs > MOST_SKEW_MS &&
      `The clock of this machine is ${Math.round(skewMs / 1000)} s off, so webhooks and logins are refused: turn on time synchronization (NTP).`,
  );
}

/** Whether the site's certificate is valid, and for long enough. */
export async function certificateFindings(siteUrl: string | undefined, now = new Date()): Promise<Finding[]> {
  if (!siteUrl || !URL.canParse(siteUrl)) return [];
  const { protocol, hostname, port } = new URL(siteUrl);
  if (protocol !== 'https:') return [];
  const socket = connectTls({
    ...hostIn(hostname),
    port: Number(port) || 443,
    rejectUnauthorized: false,
  });
  const seen = await answerOf(socket, 'secureConnect', () => ({
    fault: socket.authorized ? undefined : String(socket.authorizationError),
    until: socket.getPeerCertificate().valid_to,
  }));
  if (!seen)
    return [`${siteUrl} does not answer: check its DNS entry and the proxy in front of the gateway.`];
  if (seen.fault) return [`Browsers refuse the certificate of ${siteUrl} (${seen.fault}): renew it.`];
  const days = Math.floor((Date.parse(seen.until) - now.getTime()) / DAY_MS);
  return days < CERTIFICATE_DAYS ? [`The certificate of ${siteUrl} expires in ${days} days: renew it.`] : [];
}

/** Certificates are chosen by name, and an IP address is none. @param hostname of a URL: IPv6 is in brackets */
function hostIn(hostname: string): { host: string; servername?: string } {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) ? { host } : { host, servername: host };
}

/** @returns undefined after a timeout */
async function answerOf<T>(
  socket: Socket | TLSSocket,
  event: string,
  read: (args: unknown[]) => T,
): Promise<T | undefined> {
  try {
    return read(await once(socket, event, { signal: AbortSignal.timeout(WITHIN_MS) }));
  } catch {
    return undefined;
  } finally {
    socket.destroy();
  }
}
