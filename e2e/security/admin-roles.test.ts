import { type Endpoint, type EndpointKey, methodOf, rolesOf } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { ADMIN_ROLES, type AdminRole, mayDo, STEP_UP_SECONDS } from '@arboleda/contracts/permissions.ts';
import { expect, jest, test } from '@jest/globals';
import { realParameters } from '../api/objects.ts';
import { changedToken, scrambled, useTarget } from './target.ts';

jest.setTimeout(60_000);

/** Derived from contracts, so no endpoint and no role is forgotten. */
const FOR_ADMINS = (Object.entries(ENDPOINTS) as [EndpointKey, Endpoint][])
  .filter(([, { access }]) => rolesOf(access).includes('admin'))
  .map(([key, endpoint]) => ({ key, endpoint }));

const target = useTarget();

/** A token of an admin who has no account, so that no call can change it. */
function tokenOf(role: AdminRole, secondFactorAt?: number): string {
  const own = { sub: `nobody-${role}`, admin_role: role };
  const change = { ...own, ...(secondFactorAt && { otp_at: secondFactorAt }) };
  return changedToken(target.tokens.admin, change, target.signingKey);
}

/** Calls that write name nothing that there is, so that nothing changes. */
function harmless(key: EndpointKey): Record<string, string> {
  const real = Object.entries(realParameters(key, target.objects));
  const isRead = methodOf(key) === 'GET';
  return Object.fromEntries(real.map(([name, value]) => [name, isRead ? value : scrambled(value)]));
}

test.each(FOR_ADMINS)('$key is open to the roles with its permission', async ({ key, endpoint }) => {
  const parameters = harmless(key);
  const answers: Record<string, boolean> = {};
  for (const role of ADMIN_ROLES) {
    const answer = await target.ask(key, { token: tokenOf(role), parameters });
    expect(answer).not.toMatch(/^5|step-up-required/);
    answers[role] = answer !== '403 forbidden';
  }
  expect(answers).toEqual(
    Object.fromEntries(ADMIN_ROLES.map((role) => [role, mayDo(role, endpoint.permission)])),
  );
});

test.each(FOR_ADMINS.filter(({ endpoint }) => endpoint.stepUp))(
  '$key asks for the second factor again',
  async ({ key, endpoint }) => {
    const parameters = harmless(key);
    const nowSeconds = Math.floor(Date.now() / 1000);
    for (const role of ADMIN_ROLES.filter((one) => mayDo(one, endpoint.permission))) {
      const late = tokenOf(role, nowSeconds - STEP_UP_SECONDS - 1);
      expect(await target.ask(key, { token: late, parameters })).toBe('403 step-up-required');
      const fresh = tokenOf(role, nowSeconds);
      expect(await target.ask(key, { token: fresh, parameters })).not.toMatch(/step-up-required/);
    }
  },
);
