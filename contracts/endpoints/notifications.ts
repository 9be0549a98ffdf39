import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { cursor, freeText, id, instant, language, orderId, pageLimit } from '../fields.ts';

/**
 * `bounced`: returned. `refused`: rejected for good. `waiting`: not delivered yet. `sent`: accepted by the mail server.
 * `pointless`: too late, or the reader opted out.
 */
const mailState = z.enum(['bounced', 'refused', 'waiting', 'sent', 'pointless']);

const mail = z.object({
  id,
  /** "receipt", "planted", "verify-email" … */
  kind: z.string(),
  /** Absent for emails about accounts. */
  orderId: orderId.optional(),
  to: z.object({ name: z.string(), address: z.string() }),
  language,
  queuedAt: instant,
  sentAt: instant.optional(),
  state: mailState,
  attempts: z.int().min(0),
  /** Last answer of the mail server, or why the email bounced or was not sent. */
  error: z.string().optional(),
  /** When this address bounced permanently; later emails are still tried. */
  addressFailedAt: instant.optional(),
  /** The email that this one repeats. */
  resendOf: id.optional(),
});
const mails = z.object({ mails: z.array(mail), nextCursor: z.string().optional() });

/** Secret of the unsubscribe links: 128 random bits. */
const newsToken = z.string().regex(/^[\w-]{22}$/);
const preferences = z.object({
  /** Emails about new photos and growth updates. All other emails concern money, trees or an account. */
  news: z.boolean(),
});

export const notificationsEndpoints = {
  'GET /api/admin/orders/{id}/mails': endpoint({
    service: 'notifications',
    summary: 'Mails about an order, to its donor and its workers, newest first',
    access: ['admin'],
    permission: 'emails:read',
    params: z.object({ id: orderId }),
    query: z.object({ limit: pageLimit(50), cursor: cursor.optional() }),
    response: mails,
    problems: ['not-found'],
  }),
  'GET /api/admin/mails': endpoint({
    audit: 'mail.listed',
    service: 'notifications',
    summary: 'All mails, newest first',
    access: ['admin'],
    permission: 'emails:read',
    query: z.object({
      state: mailState.optional(),
      /** Prefix of an address, an order’s id or its last six characters. */
      q: freeText(254).optional(),
      limit: pageLimit(50),
      cursor: cursor.optional(),
    }),
    response: mails,
  }),
  'GET /api/admin/mails/{id}': endpoint({
    service: 'notifications',
    summary:
      'One email with its text, without one-time links and the link to unsubscribe; for admins who may not change orders also ' +
      'without private links',
    access: ['admin'],
    permission: 'emails:read',
    params: z.object({ id }),
    response: z.object({
      mail,
      /** Absent once its personal data was erased. */
      content: z.object({ subject: z.string(), text: z.string() }).optional(),
    }),
    problems: ['not-found'],
  }),
  'POST /api/admin/mails/{id}/resend': endpoint({
    audit: 'mail.resent',
    service: 'notifications',
    summary: 'Send a mail again, to the address its order has now; one that still waits is tried at once',
    access: ['admin'],
    permission: 'emails:resend',
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
  'GET /api/customers/mail-preferences': endpoint({
    service: 'notifications',
    summary: 'Whether one’s own address, once it is verified, gets news of photos',
    access: ['customer'],
    response: preferences,
    problems: ['not-found'],
  }),
  'PUT /api/customers/mail-preferences': endpoint({
    service: 'notifications',
    summary: 'Choose whether one’s own address, once it is verified, gets news of photos',
    access: ['customer'],
    body: preferences,
    response: preferences,
    problems: ['not-found'],
    limit: { max: 60, windowSeconds: 600 },
  }),
  'POST /api/mail/bounces': endpoint({
    service: 'notifications',
    summary:
      'A mail came back: for the webhook of a mail provider, with "Authorization: Bearer <MAIL_BOUNCE_SECRET>"',
    access: 'public',
    fromAnywhere: true,
    status: 204,
    body: z.object({
      /** Message-ID of the email, with or without angle brackets. */
      messageId: z.string().trim().min(1).max(300),
      reason: freeText(1000).default(''),
      /** The address is invalid or rejects our email for good. */
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
