import {
  type Environment,
  readEnvironment,
  secret,
  type ServiceConfig,
  serviceConfig,
  url,
} from '@arboleda/chassis/config.ts';
import { exampleOrganisation, organisationOf } from '@arboleda/chassis/organisation.ts';
import { isLoopback, isPublicProduction, refuseWeakness } from '@arboleda/chassis/production.ts';
import { privateKeyOf } from '@arboleda/chassis/keys.ts';
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';

export interface NotificationsConfig extends ServiceConfig {
  siteUrl: string;
  /** The organisation's own, for news to its admins. */
  officeEmail: string;
  /** Opens the sealed tokens of links that auth requests. */
  mailTokenKey: KeyObject;
  /** Derives the tokens of private order links. */
  orderTokenSecret: string;
  /** How long a receipt waits to name the worker; 0 sends an email of its own for that. */
  receiptMailDelaySeconds: number;
  /** How long photos of one order are collected before the donor is notified. */
  photoMailDelaySeconds: number;
  /** Authenticates the mail provider that reports bounces; without it, bounces are refused. */
  bounceSecret?: string | undefined;
  mailRetentionDays: number;
}

const shape = {
  SITE_URL: url,
  MAIL_TOKEN_PRIVATE_KEY: privateKeyOf('x25519'),
  ORDER_TOKEN_SECRET: secret,
  RECEIPT_MAIL_DELAY_SECONDS: z.coerce.number().min(0).max(600).default(5),
  PHOTO_MAIL_DELAY_SECONDS: z.coerce.number().min(0).max(86_400).default(60),
  MAIL_BOUNCE_SECRET: secret.optional(),
  MAIL_RETENTION_DAYS: z.coerce.number().int().min(31).max(36_500).default(730),
};

/** Mail servers for testing: they show emails to everybody and deliver none. */
const INBOX_NAMES =
  /^(.*[-_.])?(maildev|mailhog|mailpit|mailcatcher|inbucket|smtp4dev|greenmail|inbox|mailtrap)([-_.].*)?$/i;
const INBOX_PORTS = new Set(['1025', '2525', '3025']);
const MAIL_PORTS = new Set(['', '25', '465', '587']);

function isInbox(smtpUrl: string): boolean {
  const { hostname = '', port = '' } = URL.parse(smtpUrl) ?? {};
  if (INBOX_NAMES.test(hostname) || INBOX_PORTS.has(port)) return true;
  // A local mail server uses a standard port; the inbox of "npm start" uses any.
  return isLoopback(`http://${hostname}`) && !MAIL_PORTS.has(port);
}

/** Demo defaults with which nobody would receive an email. */
const unfitForProduction = ({ SMTP_URL: smtpUrl, MAIL_FROM: from }: Environment): string[] => [
  ...(smtpUrl ? [] : ['SMTP_URL: must be set in production']),
  ...(smtpUrl && isInbox(smtpUrl)
    ? ['SMTP_URL: leads to an inbox for trying out, not to a mail server']
    : []),
  ...(from && !/\.(test|invalid|local|localhost)>?$/i.test(from.trim())
    ? []
    : ['MAIL_FROM: must be an address of yours in production']),
];

/** @throws ConfigError that names the variable */
export function notificationsConfig(env: Environment): NotificationsConfig {
  const base = serviceConfig(env, 'notifications');
  const read = readEnvironment(env, shape);
  if (isPublicProduction(env)) refuseWeakness(env, ...unfitForProduction(env), ...exampleOrganisation(env));
  return {
    ...base,
    siteUrl: read.SITE_URL,
    officeEmail: organisationOf(env).contactEmail,
    mailTokenKey: read.MAIL_TOKEN_PRIVATE_KEY,
    orderTokenSecret: read.ORDER_TOKEN_SECRET,
    receiptMailDelaySeconds: read.RECEIPT_MAIL_DELAY_SECONDS,
    photoMailDelaySeconds: read.PHOTO_MAIL_DELAY_SECONDS,
    bounceSecret: read.MAIL_BOUNCE_SECRET,
    mailRetentionDays: read.MAIL_RETENTION_DAYS,
  };
}
