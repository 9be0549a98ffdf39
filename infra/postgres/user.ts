import { execFileSync } from 'node:child_process';
import { PostgresFault } from './fault.ts';

/** PostgreSQL refuses to run as root: then it runs as this user, who is made when missing. */
const USER = 'postgres';

export interface UserIds {
  uid: number;
  gid: number;
}

/** Who PostgreSQL runs as; undefined: as this process does. @throws PostgresFault when root cannot make the user. */
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
