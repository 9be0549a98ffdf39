import {
  type Environment,
  readEnvironment,
  secret,
  type ServiceConfig,
  serviceConfig,
  url,
} from '@arboleda/chassis/config.ts';
import { isLoopback, isPublicProduction, refuseWeakness } from '@arboleda/chassis/production.ts';
import { privateKeyOf } from '@arboleda/chassis/keys.ts';
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';

export interface NotificationsConfig extends ServiceConfig {
  /** Where the links of mails lead. */
  siteUrl: string;
  /** Opens the tokens of links that are mailed for auth. */
  mailTokenKey: KeyObject;
  /** By which the private links of orders are worked out. */
  orderTokenSecret: string;
  /** How long photos of one order are gathered before the donor is told of them. */
  photoMailDelaySeconds: number;
  /** By which a mail provider that tells of bounces is known; bounces are not taken when absent. */
  bounceSecret?: string | undefined;
  /** How long it is known to whom a mail went and what it said. */
  mailRetentionDays: number;
}

const shape = {
  SITE_URL: url,
  MAIL_TOKEN_PRIVATE_KEY: privateKeyOf('x25519'),
  ORDER_TOKEN_SECRET: secret,
  PHOTO_MAIL_DELAY_SECONDS: z.coerce.number().min(0).max(86_400).default(60),
  MAIL_BOUNCE_SECRET: secret.optional(),
  MAIL_RETENTION_DAYS: z.coerce.number().int().min(31).max(36_500).default(730),
};

/** A mail server for trying things out: it shows mails to everybody and sends none. */
const INBOX_NAMES =
  /^(.*[-_.])?(maildev|mailhog|mailpit|mailcatcher|inbucket|smtp4dev|greenmail|inbox|mailtrap)([-_.].*)?$/i;
const INBOX_PORTS = new Set(['1025', '2525', '3025']);
const MAIL_PORTS = new Set(['', '25', '465', '587']);

function isInbox(smtpUrl: string): boolean {
  const { hostname = '', port = '' } = URL.parse(smtpUrl) ?? {};
  if (INBOX_NAMES.test(hostname) || INBOX_PORTS.has(port)) return true;
  // A mail server of this machine has a mail server's port; the inbox of "npm start" has any.
  return isLoopback(`http://${hostname}`) && !MAIL_PORTS.has(port);
}

/** Defaults by which a demonstration's mails stay on this machine, and nobody would get one. */
const unfitForProduction = ({ SMTP_URL: smtpUrl, MAIL_FROM: from }: Environment): string[] => [
  ...(smtpUrl ? [] : ['SMTP_URL: must be set in production']),
  ...(smtpUrl && isInbox(smtpUrl)
    ? ['SMTP_URL: leads to an inbox for trying out, not to a mail server']
    : []),
  ...(from && !/\.(test|invalid|local|localhost)>?$/i.test(from.trim())
    ? []
    : ['MAIL_FROM: must be an address of yours in production']),
];

/** @throws ConfigError that names the variable at fault. */
export function notificationsConfig(env: Environment): NotificationsConfig {
  const base = serviceConfig(env, 'notifications');
  const read = readEnvironment(env, shape);
  if (isPublicProduction(env)) refuseWeakness(env, ...unfitForProduction(env));
  return {
    ...base,
    siteUrl: read.SITE_URL,
    mailTokenKey: read.MAIL_TOKEN_PRIVATE_KEY,
    orderTokenSecret: read.ORDER_TOKEN_SECRET,
    photoMailDelaySeconds: read.PHOTO_MAIL_DELAY_SECONDS,
    bounceSecret: read.MAIL_BOUNCE_SECRET,
    mailRetentionDays: read.MAIL_RETENTION_DAYS,
  };
}
