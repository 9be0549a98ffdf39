import { withAudit } from '@arboleda/chassis/audit/audit.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { AuditAction } from '@arboleda/contracts/audit.ts';
import { accountByLogin } from '../accounts/account-store.ts';
import { eraseCustomer } from '../me/leaving.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { openPut } from '../accounts/registration.ts';
import { resetSecondFactor } from '../second-factor/second-factors.ts';
import { type Asked, type OperatorParts, perform } from './command.ts';

const ACTIONS = {
  create: 'admin.created',
  password: 'admin.password_changed',
  'reset-second-factor': 'admin.second_factor_off',
  erase: 'customer.erased',
} as const satisfies Record<Asked['command'], AuditAction>;

/** Runs a command, and audits it. @returns its output */
export function run(
  asked: Asked,
  password: string | undefined,
  { sql, passwords }: { sql: Sql; passwords: Passwords },
): Promise<string> {
  const clock = () => new Date();
  const audited = { by: { kind: 'operator' }, action: ACTIONS[asked.command] } as const;
  const parts: OperatorParts = {
    putAccount: openPut({ sql, passwords, clock }),
    adminNamed: (email) => accountByLogin(sql, 'admin', email),
    removeSecondFactor: (accountId) => resetSecondFactor({ sql, clock }, accountId),
    eraseCustomer: (email) => eraseCustomer({ sql, clock }, email),
  };
  return withAudit(audited, () => perform(asked, password, parts));
}
