import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { authEndpoints } from '@arboleda/contracts/endpoints/auth.ts';
import { openAttempts } from './attempts.ts';
import type { AuthConfig } from './config.ts';
import { keptSigningKey } from './keys.ts';
import { openPasswords } from './passwords.ts';
import { openRegistration } from './registration.ts';
import { routes } from './routes.ts';
import { openSessions } from './sessions.ts';
import { openTokens } from './tokens.ts';

const SWEEP_EVERY_MS = 3_600_000;

/** Accounts of customers, admins and workers, and the tokens by which everybody else knows them. */
export async function startAuth(config: AuthConfig, overrides: Overrides = {}): Promise<RunningService> {
  const service = await openService('auth', config, overrides);
  const { platform, clock } = service;
  const sql = await platform.sql('auth', new URL('./migrations/', import.meta.url));

  const tokens = await openTokens(config.signingKey ?? (await keptSigningKey(sql)), clock);
  const passwords = await openPasswords(config.passwordCost);
  const attempts = openAttempts(sql);
  const sessions = openSessions({ sql, passwords, attempts });
  const registration = openRegistration({ sql, passwords, clock });
  const jobs = platform.jobs('auth');
  service.onClose(() => jobs.close());
  await jobs.every('sweep', SWEEP_EVERY_MS, () => attempts.sweep());

  return service.listen(authEndpoints, routes({ sessions, registration, attempts, tokens }));
}
