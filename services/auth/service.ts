import { openService, type Overrides, type RunningService } from '@arboleda/chassis/service.ts';
import { keyedDigest } from '@arboleda/chassis/keyed-digest.ts';
import { daysBefore, keepRetention } from '@arboleda/chassis/retention.ts';
import { seal } from '@arboleda/chassis/sealed.ts';
import { authEndpoints } from '@arboleda/contracts/endpoints/auth.ts';
import type { AuthConfig } from './config.ts';
import { openAdmins } from './admins/admins.ts';
import { adminsRoutes } from './admins/routes.ts';
import { refuseDemoAccounts } from './operator/demo-accounts.ts';
import { auditLogRoutes } from './audit-log.ts';
import { sweepLinks } from './accounts/link-store.ts';
import { openLinks } from './accounts/links.ts';
import { openEmailChange } from './me/email-change.ts';
import { openLeaving } from './me/leaving.ts';
import { openProfile } from './me/profile.ts';
import { meRoutes } from './me/routes.ts';
import { openPasswords } from './passwords/passwords.ts';
import { openRegistration } from './accounts/registration.ts';
import { openResets } from './passwords/resets.ts';
import { entryRoutes } from './routes.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { openSecondFactorCheck, openSecondFactors } from './second-factor/second-factors.ts';
import { openVault } from './second-factor/vault.ts';
import { openAttempts } from './sessions/attempts.ts';
import { endedSessions, sweepEndedSessions } from './sessions/ended-sessions.ts';
import { keptSigningKey } from './sessions/keys.ts';
import { openSessions } from './sessions/sessions.ts';
import { openTokens } from './sessions/tokens.ts';
import { workersRoutes } from './workers/routes.ts';
import { openWorkers } from './workers/workers.ts';

export async function startAuth(config: AuthConfig, overrides: Overrides = {}): Promise<RunningService> {
  const service = await openService('auth', config, overrides);
  const { platform, clock } = service;
  const sql = await platform.sql('auth', new URL('./migrations/', import.meta.url));
  if (config.refusesDemoAccounts) await refuseDemoAccounts(sql);
  const jobs = platform.jobs('auth');
  service.onClose(() => jobs.close());

  const tokens = await openTokens(config.signingKey ?? (await keptSigningKey(sql)), clock);
  const passwords = await openPasswords(config.passwordCost);
  const attempts = openAttempts(sql, keyedDigest(config.secondFactorKey, 'attempts'));
  const vault = openVault(config.secondFactorKey);
  const secondFactor = openSecondFactorCheck({ sql, vault, clock, attempts });
  const sessions = openSessions({ sql, passwords, attempts, secondFactor, clock });
  const newLink = openLinks((token, email) => seal(token, email, config.mailTokenKey), clock);
  const registration = openRegistration({ sql, passwords, newLink, clock });
  const resets = await openResets({ sql, jobs, passwords, attempts, newLink, secondFactor, clock });

  const before = (days: number) => daysBefore(clock(), days);
  await keepRetention({
    jobs,
    logger: service.logger,
    metrics: service.metrics,
    clearings: {
      'mailed links': (limit) => sweepLinks(sql, before(config.retention.linkDays), limit),
      'log-ins': (limit) => attempts.sweepNetworks(before(config.retention.logInDays), limit),
      'counters of attempts': (limit) => attempts.sweepCounters(clock(), limit),
      'ended sessions': (limit) => sweepEndedSessions(sql, clock(), limit),
    },
  });

  return service.listen(authEndpoints, {
    ...entryRoutes({
      sessions,
      registration,
      resets,
      attempts,
      tokens,
      endedSessions: (cursor) => endedSessions(sql, cursor),
    }),
    ...meRoutes({
      profile: openProfile({ sql, passwords, sessions, clock }),
      emailChange: openEmailChange({ sql, sessions, attempts, newLink, clock }),
      leaving: openLeaving({ sql, sessions, clock }),
      tokens,
    }),
    ...secondFactorRoutes(openSecondFactors({ sql, vault, sessions, attempts, clock }), tokens),
    ...auditLogRoutes({ sql, call: service.call, clock, logger: service.logger }),
    ...adminsRoutes(openAdmins({ sql, passwords, attempts, newLink, clock })),
    ...workersRoutes(openWorkers({ sql, passwords, attempts, newLink })),
  });
}
