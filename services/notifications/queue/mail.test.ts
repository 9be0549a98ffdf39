import { TEST_MAIL_TOKEN_KEYS, testServiceKeyVariables } from '@arboleda/chassis/testing/config.ts';
import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { notificationsConfig } from '../config.ts';
import { decodeCursor, encodeCursor } from '../log/cursor.ts';
import { MAIL_KINDS, SAMPLES } from '../mails/kinds.ts';
import { previewPage } from '../preview/page.ts';
import { requireSecret } from '../secret.ts';
import {
  isForGiftRecipient,
  isRepeatable,
  mailId,
  mailIdOf,
  type NewMail,
  pointlessBecause,
} from './mail.ts';

const mail = (changes: Partial<NewMail> = {}): NewMail =>
  ({
    eventId: 'event-1',
    kind: 'photos',
    to: { address: 'lucia@example.org', name: 'Lucía', language: 'es' },
    facts: SAMPLES.photos,
    ...changes,
  }) as NewMail;

const erased = { address: ERASED_CUSTOMER.email, name: '—', language: 'es' as const };

describe('an email’s id', () => {
  test('is derived from event, kind and recipient', () => {
    const to = { address: 'LUCIA@example.org', name: 'Other', language: 'en' as const };
    expect(mailId(mail({ to }))).toBe(mailId(mail()));
    expect(mailId(mail())).toMatch(/^[\w-]{32}$/);
  });

  test('differs for anything else', () => {
    const others = [
      mail(),
      mail({ eventId: 'event-2' }),
      mail({ kind: 'completed' }),
      mail({ to: { address: 'ana@example.org', name: 'Lucía', language: 'es' } }),
    ];
    expect(new Set(others.map(mailId)).size).toBe(4);
  });

  test.each(['<abc_-1@arboleda.test>', 'abc_-1@arboleda.test', 'abc_-1'])(
    'is parsed from %s',
    (messageId) => {
      expect(mailIdOf(messageId)).toBe('abc_-1');
    },
  );
});

test('an email goes to the recipient of a gift when it links to their page', () => {
  const facts = { ...SAMPLES.photos, giftToken: 'token' };
  expect(
    [mail({ facts }), mail(), mail({ kind: 'receipt', facts: SAMPLES.receipt })].map(isForGiftRecipient),
  ).toEqual([true, false, false]);
});

describe('an email is not sent', () => {
  const expiresAt = '2026-11-22T20:00:00Z';

  test('when its link has expired; all others are never too late', () => {
    const link = mail({ kind: 'verify-email', facts: { token: 'x', expiresAt } });
    expect(pointlessBecause(link, new Date('2026-11-22T19:59:59Z'))).toBeUndefined();
    expect(pointlessBecause(link, new Date(expiresAt))).toBe('expired');
    expect(pointlessBecause(mail(), new Date('2030-01-01T00:00:00Z'))).toBeUndefined();
  });

  test('to an erased person', () => {
    expect(pointlessBecause(mail({ to: erased }), new Date())).toBe('erased');
  });
});

test('again when it has a one-time link, was erased, or is a gift, which its buyer sends again', () => {
  const once = MAIL_KINDS.filter((kind) => !isRepeatable(mail({ kind, facts: SAMPLES[kind] } as NewMail)));
  expect(once.sort()).toEqual([
    'admin-invited',
    'confirm-email',
    'gift',
    'reset-password',
    'verify-email',
    'worker-invited',
  ]);
  expect(isRepeatable(mail({ to: erased }))).toBe(false);
});

const env = {
  ...testServiceKeyVariables('notifications'),
  DATABASE_URL: 'postgres://localhost/arboleda',
  AUTH_URL: 'http://localhost:4001',
  SITE_URL: 'http://localhost:8080',
  ORDER_TOKEN_SECRET: 'uV9-kq2LmZt7_RwXc4yBh8NdPf3GsJ6a',
  MAIL_TOKEN_PRIVATE_KEY: TEST_MAIL_TOKEN_KEYS.MAIL_TOKEN_PRIVATE_KEY,
};

test('photos are collected for a minute by default', () => {
  expect(notificationsConfig(env)).toMatchObject({
    siteUrl: 'http://localhost:8080',
    photoMailDelaySeconds: 60,
  });
  expect(notificationsConfig({ ...env, PHOTO_MAIL_DELAY_SECONDS: '0.5' }).photoMailDelaySeconds).toBe(0.5);
});

test('bounces are accepted only with a secret', () => {
  expect(notificationsConfig(env).bounceSecret).toBeUndefined();
  expect(notificationsConfig({ ...env, MAIL_BOUNCE_SECRET: 'b'.repeat(32) }).bounceSecret).toBe(
    'b'.repeat(32),
  );
});

test.each([
  ['MAIL_BOUNCE_SECRET', { MAIL_BOUNCE_SECRET: 'short' }],
  ['MAIL_TOKEN_PRIVATE_KEY', { MAIL_TOKEN_PRIVATE_KEY: undefined }],
  ['MAIL_TOKEN_PRIVATE_KEY', { MAIL_TOKEN_PRIVATE_KEY: TEST_MAIL_TOKEN_KEYS.MAIL_TOKEN_PUBLIC_KEY }],
  ['SITE_URL', { SITE_URL: undefined }],
  ['SITE_URL', { SITE_URL: 'arboleda' }],
  ['PHOTO_MAIL_DELAY_SECONDS', { PHOTO_MAIL_DELAY_SECONDS: '-1' }],
  ['PHOTO_MAIL_DELAY_SECONDS', { PHOTO_MAIL_DELAY_SECONDS: 'soon' }],
])('%s stops the start when it is %j', (name, changes) => {
  expect(() => notificationsConfig({ ...env, ...changes })).toThrow(new RegExp(`^${name}: `));
});

const real = {
  ...env,
  NODE_ENV: 'production',
  SITE_URL: 'https://trees.example',
  MAIL_FROM: 'Arboleda <hola@trees.example>',
  ORGANISATION_TAX_ID: 'NIT 901.442.118-3',
  ORGANISATION_EMAIL: 'hola@fundacionarboles.org',
};

test.each([
  'smtp://maildev:1025',
  'smtp://maildev',
  'smtp://mailpit.tools.svc:25',
  'smtp://my-mailhog:25',
  'smtp://inbox:25',
  'smtp://user:word@sandbox.smtp.mailtrap.io:2525',
  'smtp://127.0.0.1:1025',
  'smtp://localhost:43211',
  'smtp://10.0.0.7:1025',
])('emails in production do not go to the inbox at %s', (SMTP_URL) => {
  expect(() => notificationsConfig({ ...real, SMTP_URL })).toThrow(/^SMTP_URL: leads to an inbox/);
  expect(() => notificationsConfig({ ...env, SMTP_URL })).not.toThrow();
});

test.each(['smtp://localhost', 'smtp://127.0.0.1:25', 'smtps://u:Vq7-kT2mZ9@mail.trees.example:465'])(
  'they go to the mail server at %s',
  (SMTP_URL) => expect(() => notificationsConfig({ ...real, SMTP_URL })).not.toThrow(),
);

test('a cursor marks the end of a page, to the microsecond', () => {
  const at = ['2026-11-22T01:02:03.456789Z', 'mail_-1'] as [string, string];
  expect(decodeCursor(encodeCursor(at))).toEqual(at);
});

const wrong = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test.each([
  '',
  '***',
  wrong('text'),
  wrong(['2026-11-22T01:02:03.456789Z']),
  wrong(['2026-13-45T01:02:03.456789Z', 'mail-1']),
  wrong(['2026-11-22T01:02:03.456789Z', "'; drop table mails"]),
])('%j is refused as a cursor', (cursor) => {
  const refusal = () => decodeCursor(cursor);
  expect(refusal).toThrow(Problem);
  expect(refusal).toThrow(
    expect.objectContaining({ type: 'validation-failed', fields: [{ path: 'cursor', type: 'invalid' }] }),
  );
});

const SITE = 'https://arboleda.test';

describe('the preview', () => {
  test('shows every email in every language, in HTML and text', () => {
    const list = previewPage('/', SITE)!.body;
    const paths = [...list.matchAll(/href="([^"]+)"/g)].map((match) => match[1]!);
    expect(paths).toHaveLength(MAIL_KINDS.length * 2 * 2);
    for (const path of paths) {
      const page = previewPage(path, SITE)!;
      expect(page.contentType).toBe(`text/${path.endsWith('.txt') ? 'plain' : 'html'}; charset=utf-8`);
      expect(page.body).toContain('Arboleda');
    }
  });

  test.each(['/nothing.en.html', '/receipt.fr.html', '/receipt.en.pdf', '/../main.ts'])(
    'has nothing at %s',
    (path) => expect(previewPage(path, SITE)).toBeUndefined(),
  );
});

const SECRET = 's'.repeat(32);

test('the right secret is accepted', () => {
  expect(() => requireSecret(`Bearer ${SECRET}`, SECRET)).not.toThrow();
});

test.each([undefined, '', SECRET, `bearer ${SECRET}`, `Bearer ${SECRET} `, `Bearer ${'s'.repeat(31)}`])(
  'the secret %j is refused',
  (authorization) => {
    expect(() => requireSecret(authorization, SECRET)).toThrow(
      expect.objectContaining({ type: 'unauthenticated' }),
    );
  },
);
