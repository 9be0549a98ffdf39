import { execFileSync, spawnSync } from 'node:child_process';
import { Fault } from '../terminal/fault.ts';

/** PostgreSQL refuses to run as root: then it runs as this user, who is made when missing. */
const USER = 'postgres';

export interface UserIds {
  uid: number;
  gid: number;
}

/** Who PostgreSQL runs as; undefined: as this process does. @throws Fault when root cannot make the user. */
export function postgresUser(): UserIds | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const known = lookUp();
  if (known) return known;
  try {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', USER], { stdio: 'ignore' });
  } catch (cause) {
    throw new Fault(
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

/** As root the server runs as another user, who must be able to reach its program and its data. @throws Fault */
export function checkReachable(folders: readonly string[], user: UserIds | undefined): void {
  if (!user) return;
  for (const folder of folders) {
    const { status } = spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], {
      ...user,
      cwd: '/',
      stdio: 'ignore',
    });
    if (status === 0) continue;
    throw new Fault(
      `As root, PostgreSQL runs as the user "postgres", who may not enter ${folder}. ` +
        'Put the project and DATA_DIR where every user can read them, e.g. under /srv, or start as an ordinary user.',
    );
  }
}
