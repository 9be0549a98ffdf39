import type { Environment } from '@arboleda/chassis/environment.ts';

/** A sentence on what is wrong and what to do, without secrets. */
export type Finding = string;

/** Minimum version of the machine's Node, which only starts the project's own. */
const OLDEST_NODE = 20;

export const nodeFinding = (version: string): Finding[] =>
  Number(version.split('.')[0]) < OLDEST_NODE
    ? [`Node is ${version} and must be ${OLDEST_NODE} or newer: install it from https://nodejs.org.`]
    : [];

/** Findings in the settings alone. */
export function settingFindings(env: Environment): Finding[] {
  const {
    STRIPE_SECRET_KEY: secret,
    STRIPE_PUBLISHABLE_KEY: publishable,
    STRIPE_WEBHOOK_SECRET: webhook,
  } = env;
  const findings: Finding[] = [];
  if (secret) {
    if (!/^[sr]k_(test|live)_\w+$/.test(secret))
      findings.push(
        'STRIPE_SECRET_KEY is no secret key of Stripe (sk_test_…, sk_live_… or rk_…): copy it from the dashboard.',
      );
    if (!publishable || !/^pk_(test|live)_\w+$/.test(publishable))
      findings.push(
        'STRIPE_PUBLISHABLE_KEY is no publishable key of Stripe (pk_…): copy it from the dashboard.',
      );
    else if (modeOf(secret) && modeOf(secret) !== modeOf(publishable))
      findings.push(
        `STRIPE_SECRET_KEY is of ${modeOf(secret)} mode and STRIPE_PUBLISHABLE_KEY of ${modeOf(publishable)}: take both from one.`,
      );
    if (!webhook || !webhook.split(',').every((one) => /^whsec_.+/.test(one.trim())))
      findings.push(
        'STRIPE_WEBHOOK_SECRET is no signing secret (whsec_…): copy it from the webhook in Stripe’s dashboard.',
      );
  }
  return [...findings, ...siteFindings(env.SITE_URL, Boolean(secret?.includes('_live_')))];
}

function siteFindings(siteUrl: string | undefined, isLive: boolean): Finding[] {
  if (!siteUrl)
    return isLive
      ? ['SITE_URL is not set though money is real: mails lead to localhost until it names the site.']
      : [];
  if (!URL.canParse(siteUrl)) return ['SITE_URL is no address: write it as https://trees.example.'];
  const { protocol, hostname } = new URL(siteUrl);
  const isHere = hostname === 'localhost' || hostname === '127.0.0.1';
  return protocol === 'http:' && !isHere
    ? ['SITE_URL is http: tokens and cards travel openly until the site has a certificate and it says https.']
    : [];
}

const modeOf = (key: string): string | undefined => /^[srp]k_(test|live)_/.exec(key)?.[1];

/** As the alert: a daily back-up, with two hours to make it. */
export const OLD_BACKUP_SECONDS = 26 * 3600;

/** @param seconds age of the last back-up; of the database before the first */
export const backupOld = (seconds: number): Finding =>
  `No back-up was made for ${Math.floor(seconds / 3600)} hours: npm run backup makes one, daily at best; docs/operations.md says how.`;

export const paidWithoutOrder = (n: number): Finding =>
  `${n} payments have no order: see payments and orders in the log, and npm run dlq -- list; after a restore, npm run reconcile -- --since 7d.`;
