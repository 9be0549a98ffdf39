import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { accountByLogin } from '../accounts/account-store.ts';
import { eraseCustomer } from '../me/leaving.ts';
import type { Passwords } from '../passwords/passwords.ts';
import { openPut } from '../accounts/registration.ts';
import { resetSecondFactor } from '../second-factor/second-factors.ts';
import { type Asked, perform } from './command.ts';

/** Runs a command. @returns its output */
export function run(
  asked: Asked,
  password: string | undefined,
  { sql, passwords }: { sql: Sql; passwords: Passwords },
): Promise<string> {
  const clock = () => new Date();
  return perform(asked, password, {
    putAccount: openPut({ sql, passwords, clock }),
    adminNamed: (email) => accountByLogin(sql, 'admin', email),
    removeSecondFactor: (accountId) => resetSecondFactor({ sql, clock }, accountId),
    eraseCustomer: (email) => eraseCustomer({ sql, clock }, email),
  });
}
