import { type Endpoint, type EndpointKey, methodOf, rolesOf } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { exampleOf } from '@arboleda/contracts/example.ts';
import { ADMIN_ROLES, type AdminRole, mayDo, STEP_UP_SECONDS } from '@arboleda/contracts/permissions.ts';
import { z } from 'zod';
import { openState } from '../../api/fuzz/state.ts';
import { realParameters } from '../../api/objects.ts';
import type { Target } from '../frame/target.ts';
import type { Report } from '../frame/topic.ts';
import { opened, signed } from '../tokens/forge.ts';
import { bodyFor } from './bodies.ts';
import { scrambled, send } from './send.ts';

const FOR_ADMINS = (Object.entries(ENDPOINTS) as [EndpointKey, Endpoint][]).filter(([, { access }]) =>
  rolesOf(access).includes('admin'),
);
const MATRIX = FOR_ADMINS.flatMap(([key, endpoint]) => ADMIN_ROLES.map((role) => ({ key, endpoint, role })));

/** Calls every endpoint for admins in every role. Derived from contracts, so no endpoint and no role is forgotten. */
export async function adminRoles(target: Target, report: Report): Promise<void> {
  const denied = MATRIX.filter(({ endpoint, role }) => !mayDo(role, endpoint.permission));
  const allowed = MATRIX.filter(({ endpoint, role }) => mayDo(role, endpoint.permission));
  await areDenied(target, report, denied);
  for (const call of allowed) await isAllowed(target, report, call);
  const asking = allowed.filter(({ endpoint }) => endpoint.stepUp);
  for (const call of asking) await asksAgain(target, report, call);
  report.note(
    `${FOR_ADMINS.length} calls for admins × ${ADMIN_ROLES.length} roles: ${allowed.length} allowed, ` +
      `${denied.length} denied; ${asking.length} ask for the second factor again`,
  );
}

type OfRole = (typeof MATRIX)[number];

/** Uses real objects and valid bodies, so that only the role can be the reason of a refusal. */
async function areDenied(target: Target, { check }: Report, calls: readonly OfRole[]): Promise<void> {
  const state = await openState(target.filled.product.databaseUrl);
  try {
    await state.settled();
    const before = await state.digest();
    for (const { key, endpoint, role } of calls) {
      const body = endpoint.upload ? bodyFor(key, target.filled.objects) : validBody(endpoint);
      const answer = await send(target, key, { token: tokenOf(target, role), body });
      check(`${key} is closed to ${role}`, answer.status === 403 && answer.type === 'forbidden', answer);
    }
    await state.settled();
    const after = await state.digest();
    const changed = Object.keys(after).filter((table) => after[table] !== before[table]);
    check('what roles deny changes nothing', changed.length === 0, changed);
  } finally {
    await state.close();
  }
}

/** Sends no body, and unknown ids to calls that write, so that nothing changes. */
async function isAllowed(target: Target, { check }: Report, { key, role }: OfRole): Promise<void> {
  const answer = await send(target, key, { token: tokenOf(target, role), parameters: harmless(target, key) });
  const passed = answer.type !== 'forbidden' && answer.type !== 'step-up-required' && answer.status < 500;
  check(`${key} is open to ${role}`, passed, answer);
}

async function asksAgain(target: Target, { check }: Report, { key, role }: OfRole): Promise<void> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const parameters = harmless(target, key);
  const late = tokenOf(target, role, nowSeconds - STEP_UP_SECONDS - 1);
  const answer = await send(target, key, { token: late, parameters });
  check(
    `${key} asks ${role} for the second factor again`,
    answer.status === 403 && answer.type === 'step-up-required',
    answer,
  );
  const fresh = await send(target, key, { token: tokenOf(target, role, nowSeconds), parameters });
  check(`${key} goes on after the second factor of ${role}`, fresh.type !== 'step-up-required', fresh);
}

function harmless({ filled }: Target, key: EndpointKey): Record<string, string> {
  const real = realParameters(key, filled.objects);
  if (methodOf(key) === 'GET') return real;
  return Object.fromEntries(Object.entries(real).map(([name, value]) => [name, scrambled(value)]));
}

/** A token of an admin who has no account, so that no call can change it. */
function tokenOf({ tokens, signingKey }: Target, role: AdminRole, secondFactorAt?: number): string {
  const { header, claims } = opened(tokens.admin);
  const own = { sub: `nobody-${role}`, admin_role: role };
  return signed(header, { ...claims, ...own, ...(secondFactorAt && { otp_at: secondFactorAt }) }, signingKey);
}

const validBody = ({ body }: Endpoint): unknown =>
  body && exampleOf(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>);
