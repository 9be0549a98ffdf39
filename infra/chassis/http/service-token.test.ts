import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { openServiceTokens, signServiceToken, verifiedOnce } from './service-token.ts';

const SECRET = 's'.repeat(43);
afterEach(() => void jest.useRealTimers());
const setClock = (now: string) => jest.useFakeTimers({ now: new Date(now), doNotFake: ['queueMicrotask'] });

describe('tokens of a service', () => {
  test('are used again for half of their minute, and are of their own for each service that is called', async () => {
    setClock('2026-03-01T12:00:00Z');
    const tokenFor = openServiceTokens(SECRET, 'payments');
    const first = await tokenFor('pricing');
    expect(decodeJwt(first)).toMatchObject({ iss: 'payments', aud: 'service:pricing' });
    expect(await tokenFor('auth')).not.toBe(first);
    setClock('2026-03-01T12:00:29Z');
    expect(await tokenFor('pricing')).toBe(first);
    setClock('2026-03-01T12:00:31Z');
    const second = await tokenFor('pricing');
    expect(decodeJwt(second).exp).toBe(Date.parse('2026-03-01T12:01:31Z') / 1000);
  });
});

describe('a token that was verified', () => {
  const open = () => {
    const asked: string[] = [];
    const verify = verifiedOnce(async (token) => {
      asked.push(token);
      const payload = decodeJwt(token);
      if (payload.exp! * 1000 <= Date.now()) throw new Error('expired');
      return payload;
    });
    return { asked, verify };
  };

  test('is not verified again, until it expires', async () => {
    setClock('2026-03-01T12:00:00Z');
    const { asked, verify } = open();
    const token = await signServiceToken(SECRET, 'payments', 'pricing');
    await verify(token);
    setClock('2026-03-01T12:00:59Z');
    await verify(token);
    expect(asked).toEqual([token]);
    setClock('2026-03-01T12:01:00Z');
    await expect(verify(token)).rejects.toThrow('expired');
  });

  test('is known to the letter, and one that was refused never', async () => {
    const asked: string[] = [];
    const verify = verifiedOnce(async (token) => {
      asked.push(token);
      throw new Error('forged');
    });
    for (const token of ['a.b.c', 'a.b.c', 'a.b.d']) await expect(verify(token)).rejects.toThrow('forged');
    expect(asked).toEqual(['a.b.c', 'a.b.c', 'a.b.d']);
  });

  test('is forgotten rather than that tokens without end are kept', async () => {
    setClock('2026-03-01T12:00:00Z');
    const { asked, verify } = open();
    const tokens = await Promise.all(
      Array.from({ length: 101 }, (_, n) => signServiceToken(SECRET, `service-${n}`, 'pricing')),
    );
    for (const token of tokens) await verify(token);
    await verify(tokens[0]!);
    await verify(tokens[100]!);
    expect(asked).toHaveLength(102);
  });
});
