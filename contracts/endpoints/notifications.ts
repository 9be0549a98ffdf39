import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cursor, freeText, id, instant, language, orderId, pageLimit } from '../fields.ts';

/**
 * `waiting`: not handed over yet. `sent`: the mail server took it. `refused`: it never will. `bounced`: it came back.
 * `pointless`: its time had passed, or its reader wants none.
 */
const mailState = z.enum(['waiting', 'sent', 'refused', 'bounced', 'pointless']);

const mail = z.object({
  id,
  /** "receipt", "planted", "verify-email" … */
  kind: z.string(),
  /** The order it is about; absent for mails about accounts. */
  orderId: orderId.optional(),
  to: z.object({ name: z.string(), address: z.string() }),
  language,
  queuedAt: instant,
  sentAt: instant.optional(),
  state: mailState,
  /** How often it was handed over, or tried to be. */
  attempts: z.int().min(0),
  /** What the mail server answered last, or why the mail came back or was not sent. */
  error: z.string().optional(),
  /** When mail to this address came back for good; later ones are tried nevertheless. */
  addressFailedAt: instant.optional(),
  /** The mail of which this one is a repetition. */
  resendOf: id.optional(),
});
const mails = z.object({ mails: z.array(mail), nextCursor: z.string().optional() });

/** The secret of the links by which news are stopped: 128 random bits. */
const newsToken = z.string().regex(/^[\w-]{22}$/);
const preferences = z.object({
  /** Mails about new photos and growth updates. All others say what happened to money, trees or an account. */
  news: z.boolean(),
});

export const notificationsEndpoints = {
  'GET /api/admin/orders/{id}/mails': endpoint({
    service: 'notifications',
    summary: 'Mails about an order, to its donor and its workers, newest first',
    access: ['admin'],
    params: z.object({ id: orderId }),
    query: z.object({ limit: pageLimit(50), cursor: cursor.optional() }),
    response: mails,
    problems: ['not-found'],
  }),
  'GET /api/admin/mails': endpoint({
    service: 'notifications',
    summary: 'All mails, newest first',
    access: ['admin'],
    query: z.object({
      state: mailState.optional(),
      /** The beginning of an address, an order’s id or its last six characters. */
      q: freeText(254).optional(),
      limit: pageLimit(50),
      cursor: cursor.optional(),
    }),
    response: mails,
  }),
  'POST /api/admin/mails/{id}/resend': endpoint({
    service: 'notifications',
    summary: 'Send a mail again, to the address its order has now; one that still waits is tried at once',
    access: ['admin'],
    status: 202,
    params: z.object({ id }),
    response: z.object({ mail }),
    problems: ['not-found', 'mail-not-repeatable'],
    idempotent: true,
  }),
  'POST /api/customers/orders/{id}/resend-mail': endpoint({
    service: 'notifications',
    summary: 'Get the receipt of one’s own order by mail again, with its private link',
    access: ['customer'],
    status: 202,
    params: z.object({ id: orderId }),
    response: z.object({}),
    problems: ['not-found', 'too-many-requests'],
    limit: { max: 20, windowSeconds: 600 },
    idempotent: true,
  }),
  'POST /api/mail/bounces': endpoint({
    service: 'notifications',
    summary:
      'A mail came back: for the webhook of a mail provider, with "Authorization: Bearer <MAIL_BOUNCE_SECRET>"',
    access: 'public',
    fromAnywhere: true,
    status: 204,
    body: z.object({
      /** Message-ID of the mail, with or without angle brackets. */
      messageId: z.string().trim().min(1).max(300),
      reason: freeText(1000).default(''),
      /** The address is none, or takes no mail of ours. */
      permanent: z.boolean(),
    }),
    problems: ['not-found', 'unauthenticated'],
    limit: { max: 600, windowSeconds: 60 },
  }),
  'POST /api/mail/unsubscribe/{token}': endpoint({
    service: 'notifications',
    summary: 'No more news of photos to this address: what mail programs post to on one click (RFC 8058)',
    access: 'public',
    fromAnywhere: true,
    status: 204,
    params: z.object({ token: newsToken }),
    problems: ['not-found'],
    limit: { max: 60, windowSeconds: 600 },
  }),
  'GET /api/mail/unsubscribe/{token}': endpoint({
    service: 'notifications',
    summary: 'The same address opened by a person: leads to the page with the choice',
    access: 'public',
    params: z.object({ token: newsToken }),
    redirect: true,
    limit: { max: 60, windowSeconds: 600 },
  }),
  'GET /api/mail/preferences/{token}': endpoint({
    service: 'notifications',
    summary: 'Whether an address gets news of photos',
    access: 'public',
    params: z.object({ token: newsToken }),
    response: preferences,
    problems: ['not-found'],
    limit: { max: 60, windowSeconds: 600 },
  }),
  'PUT /api/mail/preferences/{token}': endpoint({
    service: 'notifications',
    summary: 'Choose whether an address gets news of photos',
    access: 'public',
    params: z.object({ token: newsToken }),
    body: preferences,
    response: preferences,
    problems: ['not-found'],
    limit: { max: 60, windowSeconds: 600 },
  }),
};
