/** "npm run dlq": manages dead letters of the running installation, or of the one that the environment names. */
import {
  DONE,
  type Letter,
  NONE,
  readArguments,
  table,
  type Verb,
} from '@arboleda/chassis/dead-letters/dead-letters.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { requireRunning, runScript } from './running.ts';
import { orUsage, runCommand } from './terminal/command.ts';

const MAIN = 'infra/chassis/dead-letters/main.ts';

type Asked = ReturnType<typeof readArguments>;

await runCommand(() => {
  const args = process.argv.slice(2);
  const asked = orUsage(() => readArguments(args));
  const running = requireRunning(process.env);
  if (running.kind === 'here')
    return runScript(running, '', [MAIN, ...args], { stdio: 'inherit' }).status ?? 1;
  return asked.command === 'list' ? listInContainers(asked) : actInContainers(asked, asked.command);
});

/** Each service reaches only its own database, so each is asked. */
function ask(service: string, ...args: string[]) {
  return runScript({ kind: 'containers' }, service, [MAIN, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

function listInContainers(asked: Asked): number {
  const { letters, silent } = lettersInContainers(asked);
  // Whether there are none is unknown while a service is unreachable.
  if (asked.json) console.log(JSON.stringify(letters));
  else if (letters.length > 0) console.log(table(letters));
  else if (silent.length === 0) console.log(NONE);
  return complain(silent);
}

function actInContainers(asked: Asked, verb: Verb): number {
  const { letters, silent } = asked.all ? lettersInContainers(asked) : { letters: [], silent: [] };
  let waiting = asked.all ? letters.map(({ id }) => id) : asked.ids;
  if (waiting.length === 0 && silent.length === 0) console.log(NONE);
  for (const service of SERVICES) {
    if (waiting.length === 0) break;
    const { stdout } = ask(service, verb, ...waiting);
    const done = waiting.filter((id) => stdout.includes(DONE[verb](id)));
    for (const id of done) console.log(DONE[verb](id));
    waiting = waiting.filter((id) => !done.includes(id));
  }
  for (const id of waiting) console.log(`${id} is not there, or its service could not be asked.`);
  return Math.max(complain(silent), waiting.length === 0 ? 0 : 1);
}

/** Oldest first. */
function lettersInContainers({ owner }: Asked): { letters: Letter[]; silent: string[] } {
  const letters = new Map<string, Letter>();
  const silent: string[] = [];
  for (const service of SERVICES) {
    const { status, stdout } = ask(service, 'list', '--json', ...(owner ? ['--owner', owner] : []));
    if (status !== 0) silent.push(service);
    // Every service lists the events of all.
    else for (const letter of JSON.parse(stdout) as Letter[]) letters.set(letter.id, letter);
  }
  return { letters: [...letters.values()].sort((a, b) => a.failedAt.localeCompare(b.failedAt)), silent };
}

/** @returns the exit code */
function complain(silent: readonly string[]): number {
  if (silent.length === 0) return 0;
  console.error(
    `${silent.join(', ')} could not be asked: there may be more dead letters. npm run doctor says what is wrong.`,
  );
  return 1;
}
