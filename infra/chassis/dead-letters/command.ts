import { parseArgs } from 'node:util';
import type { DeadLetters, Letter } from './dead-letters.ts';

export const USAGE = `npm run dlq -- list [--owner orders] [--json]   what could not be handled
npm run dlq -- replay <id> …                    gives letters to their owner once more
npm run dlq -- replay --all [--owner orders]    all of them
`;

/** What was asked for, on the command line. */
export interface Asked {
  command: 'list' | 'replay';
  ids: string[];
  all: boolean;
  owner?: string | undefined;
  json: boolean;
}

/** @throws an Error with the usage when it cannot be understood. */
export function readArguments(args: readonly string[]): Asked {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { all: { type: 'boolean' }, json: { type: 'boolean' }, owner: { type: 'string' } },
    });
    const [command, ...ids] = positionals;
    const { all = false, json = false, owner } = values;
    if (command === 'list' && ids.length === 0 && !all) return { command, ids, all, owner, json };
    if (command === 'replay' && ids.length > 0 !== all) return { command, ids, all, owner, json };
  } catch {
    // The usage says more than what parseArgs found.
  }
  throw new Error(USAGE);
}

/** @returns the exit code: 1 when a letter that was named is not there. */
export async function perform(
  asked: Asked,
  letters: DeadLetters,
  say: (text: string) => void,
): Promise<number> {
  if (asked.command === 'list') {
    const found = await letters.list(asked.owner);
    say(asked.json ? JSON.stringify(found) : found.length > 0 ? table(found) : 'There are no dead letters.');
    return 0;
  }
  const ids = asked.all ? (await letters.list(asked.owner)).map(({ id }) => id) : asked.ids;
  let missing = 0;
  for (const id of ids) {
    const replayed = await letters.replay(id);
    if (!replayed) missing++;
    say(replayed ? `${id} is on its way again.` : `${id} is not there.`);
  }
  if (ids.length === 0) say('There are no dead letters.');
  return missing === 0 ? 0 : 1;
}

const ERROR_SHOWN = 100;

export function table(letters: readonly Letter[]): string {
  const rows = letters.map(({ id, kind, owner, what, key, failedAt, error }) => [
    ...[id, kind, owner, key === undefined ? what : `${what} ${key}`, failedAt],
    error.replaceAll(/\s+/g, ' ').slice(0, ERROR_SHOWN),
  ]);
  const lines = [['id', 'kind', 'owner', 'what', 'failed', 'why'], ...rows];
  const widths = lines[0]!.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
