import { describe, expect, test } from '@jest/globals';
import { isPointless, mailId, type NewMail } from './mail.ts';
import { SAMPLES } from './mails/samples.ts';

const mail = (changes: Partial<NewMail> = {}): NewMail =>
  ({
    eventId: 'event-1',
    kind: 'photos',
    to: { address: 'lucia@example.org', name: 'Lucía', language: 'es' },
    facts: SAMPLES.photos,
    ...changes,
  }) as NewMail;

describe('a mail’s id', () => {
  test('is the same for the same event, kind and recipient', () => {
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
});

test('a link that no longer works is not mailed any more; everything else is never too late', () => {
  const expiresAt = '2026-11-22T20:00:00Z';
  const link = mail({ kind: 'verify-email', facts: { token: 'x', expiresAt } });
  expect(isPointless(link, new Date('2026-11-22T19:59:59Z'))).toBe(false);
  expect(isPointless(link, new Date(expiresAt))).toBe(true);
  expect(isPointless(mail(), new Date('2030-01-01T00:00:00Z'))).toBe(false);
});
