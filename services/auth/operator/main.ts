/** Admins by hand: "npm run admin" calls it, also inside a container of auth. */
import { readEnvironment } from '@arboleda/chassis/environment.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { platformConfig, platformShape } from '@arboleda/chassis/platform-config.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import { text } from 'node:stream/consumers';
import { passwordCostOf } from '../config.ts';
import { eraseCustomer } from '../me/leaving.ts';
import { openPasswords } from '../passwords/passwords.ts';
import { openRegistration } from '../registration.ts';
import { accountByLogin } from '../account-store.ts';
import { resetSecondFactor } from '../second-factor/second-factors.ts';
import { perform, readArguments } from './command.ts';

try {
  const asked = readArguments(process.argv.slice(2));
  const given = asked.passwordFromStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined;
  const passwords = await openPasswords(passwordCostOf(process.env));
  const config = platformConfig(readEnvironment(process.env, platformShape));
  const platform = await openPlatform(config, openLogger('auth', 'error'));
  try {
    const sql = await platform.sql('auth', new URL('../migrations/', import.meta.url));
    const clock = () => new Date();
    const registration = openRegistration({ sql, passwords, clock });
    const said = await perform(asked, given, {
      registration,
      adminNamed: (email) => accountByLogin(sql, 'admin', email),
      removeSecondFactor: (accountId) => resetSecondFactor({ sql, clock }, accountId),
      eraseCustomer: (email) => eraseCustomer({ sql, clock }, email),
    });
    process.stdout.write(`${said}\n`);
  } finally {
    await platform.close();
  }
} catch (error) {
  process.stderr.write((error as Error).message);
  process.exitCode = 1;
}
