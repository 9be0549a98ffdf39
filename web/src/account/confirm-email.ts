import { ROLES, type Role } from '@arboleda/contracts/roles.ts';
import { call } from '../api/client.ts';
import { ApiProblem, isProblem } from '../api/problem.ts';
import { keepToken, readToken } from '../session/token-store.ts';

/** Roles with a session in this browser. */
export const rolesLoggedIn = (): Role[] => ROLES.filter((role) => readToken(role) !== null);

/**
 * Confirms the new address. The link does not name the account, so each logged-in account is tried.
 * @throws ApiProblem of the last attempt when none matches
 */
export async function confirmEmail(token: string): Promise<{ role: Role; email: string }> {
  let refusal: unknown = new ApiProblem({
    type: 'unauthenticated',
    status: 401,
    title: 'Nobody is logged in',
  });
  for (const role of rolesLoggedIn()) {
    try {
      const answer = await call('POST /api/auth/me/email/confirm', {
        body: { token },
        headers: { authorization: `Bearer ${readToken(role)}` },
      });
      keepToken(role, answer.token);
      return { role, email: answer.user.email };
    } catch (error) {
      if (!isProblem(error, 'link-invalid') && !isProblem(error, 'unauthenticated')) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
