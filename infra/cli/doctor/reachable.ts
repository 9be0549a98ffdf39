import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Environment } from '@arboleda/chassis/environment.ts';
import type { Finding } from './settings.ts';

const WITHIN_MS = 5_000;
const DAY_MS = 86_400_000;
const CERTIFICATE_DAYS = 14;
/** Tokens live for minutes, and webhook signatures for five. */
const MOST_SKEW_MS = 30_000;

/** A mail server greets with 220. */
export async function mailFindings(smtpUrl: string | undefined): Promise<Finding[]> {
  if (!smtpUrl) return [];
  if (!URL.canParse(smtpUrl))
    return ['SMTP_URL is no address: write it as smtps://user:password@mail.example:465.'];
  const { protocol, hostname, port } = new URL(smtpUrl);
  const isTls = protocol === 'smtps:';
  const at = { host: hostname, port: Number(port) || (isTls ? 465 : 25) };
  const socket = isTls ? connectTls({ ...at, servername: hostname }) : connect(at);
  const greeting = await answerOf(socket, 'data', ([data]) => String(data));
  if (greeting === undefined)
    return [
      `The mail server at ${at.host}:${at.port} does not answer: mails wait until it does; see SMTP_URL and the firewall.`,
    ];
  return greeting.startsWith('220')
    ? []
    : [`What answers at ${at.host}:${at.port} is no mail server ready to work: see SMTP_URL.`];
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
      `The card provider at ${new URL(api).host} does not answer: nobody can pay by card; see the network, and https://status.stripe.com.`,
    ];
  await asked.arrayBuffer();
  const findings: Finding[] = [];
  if (asked.status === 401)
    findings.push(
      'Stripe refuses STRIPE_SECRET_KEY: nobody can pay by card; copy the key from the dashboard anew.',
    );
  return [...findings, ...skewFindings(asked.headers.get('date'), new Date())];
}

/** @param date a server's Date header */
export function skewFindings(date: string | null, now: Date): Finding[] {
  const skewMs = date === null ? 0 : Math.abs(now.getTime() - Date.parse(date));
  return skewMs > MOST_SKEW_MS
    ? [
        `The clock of this machine is ${Math.round(skewMs / 1000)} s off: turn time synchronisation (NTP) on, or webhooks and log-ins are refused.`,
      ]
    : [];
}

/** Whether the site's certificate is valid, and for long enough. */
export async function certificateFindings(siteUrl: string | undefined, now = new Date()): Promise<Finding[]> {
  if (!siteUrl || !URL.canParse(siteUrl)) return [];
  const { protocol, hostname, port } = new URL(siteUrl);
  if (protocol !== 'https:') return [];
  const socket = connectTls({
    host: hostname,
    port: Number(port) || 443,
    servername: hostname,
    rejectUnauthorized: false,
  });
  const seen = await answerOf(socket, 'secureConnect', () => ({
    fault: socket.authorized ? undefined : String(socket.authorizationError),
    until: socket.getPeerCertificate().valid_to,
  }));
  if (!seen) return [`${siteUrl} does not answer: see its DNS entry and the proxy before the gateway.`];
  if (seen.fault) return [`Browsers refuse the certificate of ${siteUrl} (${seen.fault}): renew it.`];
  const days = Math.floor((Date.parse(seen.until) - now.getTime()) / DAY_MS);
  return days < CERTIFICATE_DAYS ? [`The certificate of ${siteUrl} ends in ${days} days: renew it.`] : [];
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
