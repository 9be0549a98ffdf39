/** Manages admins. Run by "npm run admin", also inside a container of auth. */
import { readEnvironment } from '@arboleda/chassis/environment.ts';
import { openLogger } from '@arboleda/chassis/log.ts';
import { platformConfig, platformShape } from '@arboleda/chassis/platform-config.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import { text } from 'node:stream/consumers';
import { passwordCostOf } from '../config.ts';
import { openPasswords } from '../passwords/passwords.ts';
import { readArguments } from './command.ts';
import { run } from './run.ts';

try {
  const asked = readArguments(process.argv.slice(2));
  const given = asked.passwordFromStdin ? (await text(process.stdin)).replace(/\r?\n$/, '') : undefined;
  const passwords = await openPasswords(passwordCostOf(process.env));
  const config = platformConfig(readEnvironment(process.env, platformShape));
  const platform = await openPlatform(config, openLogger('auth', 'error'));
  try {
    const sql = await platform.sql('auth', new URL('../migrations/', import.meta.url));
    const said = await run(asked, given, { sql, passwords });
    process.stdout.write(`${said}\n`);
  } finally {
    await platform.close();
  }
} catch (error) {
  process.stderr.write((error as Error).message);
  process.exitCode = 1;
}
