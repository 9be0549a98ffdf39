import { ERASED_CUSTOMER } from '@arboleda/contracts/order.ts';
import { describe, expect, test } from '@jest/globals';
import { MAIL_KINDS } from '../mails/kinds.ts';
import { SAMPLES } from '../mails/samples.ts';
import { isRepeatable, mailId, mailIdOf, type NewMail, pointlessBecause } from './mail.ts';

const mail = (changes: Partial<NewMail> = {}): NewMail =>
  ({
    eventId: 'event-1',
    kind: 'photos',
    to: { address: 'lucia@example.org', name: 'Lucía', language: 'es' },
    facts: SAMPLES.photos,
    ...changes,
  }) as NewMail;
const erased = { address: ERASED_CUSTOMER.email, name: '—', language: 'es' as const };

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

  test.each(['<abc_-1@arboleda.test>', 'abc_-1@arboleda.test', 'abc_-1'])('is found in %s', (messageId) => {
    expect(mailIdOf(messageId)).toBe('abc_-1');
  });
});

describe('a mail is not sent', () => {
  const expiresAt = '2026-11-22T20:00:00Z';

  test('when its link no longer works; everything else is never too late', () => {
    const link = mail({ kind: 'verify-email', facts: { token: 'x', expiresAt } });
    expect(pointlessBecause(link, new Date('2026-11-22T19:59:59Z'))).toBeUndefined();
    expect(pointlessBecause(link, new Date(expiresAt))).toBe('expired');
    expect(pointlessBecause(mail(), new Date('2030-01-01T00:00:00Z'))).toBeUndefined();
  });

  test('to who asked to be forgotten', () => {
    expect(pointlessBecause(mail({ to: erased }), new Date())).toBe('erased');
  });
});

test('what carried a link that works once is not sent again, nor what was forgotten', () => {
  const once = MAIL_KINDS.filter((kind) => !isRepeatable(mail({ kind, facts: SAMPLES[kind] } as NewMail)));
  expect(once.sort()).toEqual(['confirm-email', 'reset-password', 'verify-email', 'worker-invited']);
  expect(isRepeatable(mail({ to: erased }))).toBe(false);
});
