import { type Role, ROLES } from '@arboleda/contracts/roles.ts';
import { randomUUID } from 'node:crypto';
import { putAccount } from '../../harness/accounts.ts';
import type { Target } from '../frame/target.ts';
import { opened, signed } from '../tokens/forge.ts';

export const ENDED_SESSION = 'a token of a session that was ended';

/** Tokens that must be refused. All but the first three are signed by the right key. */
export async function refusedTokens(
  target: Target,
): Promise<(role: Role) => readonly (readonly [string, string | undefined])[]> {
  const revoked = Object.fromEntries(
    await Promise.all(ROLES.map(async (role) => [role, await revokedToken(target, role)] as const)),
  ) as Record<Role, string>;
  return (role) => {
    const { header, claims, parts } = opened(target.tokens[role]);
    const forged = (change: object) => signed(header, { ...claims, ...change }, target.signingKey);
    const claimed = opened(signed(header, { ...claims, name: 'Somebody' }, target.signingKey)).parts[1];
    return [
      ['nobody', undefined],
      ['an unreadable token', 'nonsense'],
      ['a token whose claims were changed', [parts[0], claimed, parts[2]].join('.')],
      ['an expired token', forged({ iat: 1, exp: 2 })],
      ['a token for another audience', forged({ aud: `${role}s` })],
      ['a token of another issuer', forged({ iss: 'somewhere-else' })],
      [ENDED_SESSION, revoked[role]],
    ];
  };
}

/** A token from before a password reset. */
async function revokedToken({ filled }: Target, role: Role): Promise<string> {
  const { product } = filled;
  const email = `gone-${role}@security.test`;
  const put = (password: string) =>
    putAccount(product, {
      role,
      name: 'Gone',
      email,
      password,
      emailVerified: true,
      ...(role === 'worker' && { worker: { code: 'GO-001', region: 'Chocó', capacityTrees: 1 } }),
    });
  const password = `before-${randomUUID()}`;
  await put(password);
  const { token } = await filled.call(`POST /api/auth/${role}/login`, { body: { email, password } });
  await put(`after-${randomUUID()}`);
  return token;
}
