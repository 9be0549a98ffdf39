import { TEST_MAIL_TOKENS } from '@arboleda/chassis/testing/config.ts';
import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newEmail } from './builders.ts';
import { openHarness } from './harness.ts';

jest.setTimeout(60_000);

let service: Awaited<ReturnType<typeof openHarness>>;
beforeAll(async () => {
  service = await openHarness();
  await service.start();
});
afterAll(() => service.close());

describe('a new account’s owner', () => {
  const ask = async ({
    token = 'the-token',
    ...changes
  }: { token?: string; language?: Language; expiresAt?: string } = {}) => {
    const email = newEmail();
    return {
      accountId: 'a-1',
      role: 'customer' as const,
      name: 'Lucía Peña',
      email,
      language: 'en' as const,
      sealedToken: await TEST_MAIL_TOKENS.seal(token, email),
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      ...changes,
    };
  };

  test.each([
    ['en', 'Verify your email address'],
    ['es', 'Verifica tu correo'],
  ] as const)('gets the link in %s, its token where no server sees it', async (language, subject) => {
    const asked = await ask({ language });
    await service.publish('email.verification_requested', asked);
    const [mail] = await service.someMailsTo(asked.email);
    expect(mail!.subject).toBe(subject);
    expect(mail!.text).toContain('https://arboleda.test/verify-email#token=the-token');
  });

  test('leaves no token in the database once the email is sent', async () => {
    const asked = await ask({ token: 'a-token-to-forget' });
    await service.publish('email.verification_requested', asked);
    await service.someMailsTo(asked.email);
    await service.allSent();
    const rows = await service.query('select facts from notifications.mails where recipient_address = $1', [
      asked.email,
    ]);
    expect(JSON.stringify(rows)).not.toContain('a-token-to-forget');
  });

  test('gets nothing for another’s sealed token in their event', async () => {
    const [owner, thief] = [await ask(), newEmail()];
    await service.publish('email.verification_requested', { ...owner, email: thief });
    const [row] = await waitFor(async () => {
      const rows = await service.query(
        'select error, facts from notifications.mails where recipient_address = $1 and error is not null',
        [thief],
      );
      return rows.length > 0 && rows;
    });
    expect(row.error).toContain('for somebody else');
    // The queued token is sealed, too.
    expect(row.facts.token).toBe(owner.sealedToken);
    expect(await service.mailsTo(thief)).toEqual([]);
    await service.query('delete from notifications.mails where recipient_address = $1', [thief]);
  });

  test('gets no expired link', async () => {
    const asked = await ask({ expiresAt: new Date(Date.now() - 1000).toISOString() });
    await service.publish('email.verification_requested', asked);
    const [row] = await waitFor(async () => {
      const rows = await service.query(
        'select dropped_because, facts from notifications.mails where recipient_address = $1 and dropped_at is not null',
        [asked.email],
      );
      return rows.length > 0 && rows;
    });
    expect(row).toMatchObject({ dropped_because: 'pointless', facts: { expiresAt: asked.expiresAt } });
    expect(row.facts).not.toHaveProperty('token');
    expect(await service.mailsTo(asked.email)).toEqual([]);
  });
});
