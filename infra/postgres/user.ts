import { execFileSync } from 'node:child_process';
import { PostgresFault } from './fault.ts';

/** PostgreSQL refuses to run as root, so it runs as this user, which is created if missing. */
const USER = 'postgres';

export interface UserIds {
  uid: number;
  gid: number;
}

/** The user PostgreSQL runs as; undefined for the current one. @throws PostgresFault when root cannot create it */
export function postgresUser(): UserIds | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const known = lookUp();
  if (known) return known;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', USER], { stdio: 'ignore' });
  } catch (cause) {
    throw new PostgresFault(
      'PostgreSQL does not run as root, and the user "postgres" could not be made. Start as an ordinary user.',
      { cause },
    );
  }
  return lookUp();
}

function lookUp(): UserIds | undefined {
  try {
    const ask = (flag: string) =>
      Number(execFileSync('id', [flag, USER], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    return undefined;
  }
}
