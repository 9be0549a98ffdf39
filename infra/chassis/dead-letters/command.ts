import { parseArgs } from 'node:util';
import type { DeadLetters, Letter } from './dead-letters.ts';

export const USAGE = `npm run dlq -- list [--owner orders] [--json]   what could not be handled, and where it lies
npm run dlq -- replay <id> …                    gives letters to their owner once more
npm run dlq -- replay --all [--owner orders]    all of them
npm run dlq -- discard <id> …                   forgets letters: what they ask for is never done
npm run dlq -- discard --all [--owner orders]   all of them
`;

const VERBS = ['replay', 'discard'] as const;
export type Verb = (typeof VERBS)[number];
/** Output for each letter found. */
export const DONE: Record<Verb, (id: string) => string> = {
  replay: (id) => `${id} is on its way again.`,
  discard: (id) => `${id} is discarded.`,
};
export const NONE = 'There are no dead letters.';

/** The parsed command line. */
export interface Asked {
  command: 'list' | Verb;
  ids: string[];
  all: boolean;
  owner?: string | undefined;
  json: boolean;
}

const isVerb = (word: string | undefined): word is Verb => (VERBS as readonly unknown[]).includes(word);

/** Photo ids are random and may begin with a dash. */
const isDashedId = (word: string): boolean => /^-/.test(word) && !/^--(all|json|owner)\b/.test(word);

/** @throws an Error with the usage when the arguments are invalid */
export function readArguments(args: readonly string[]): Asked {
  try {
    const { values, positionals } = parseArgs({
      args: args.filter((word) => !isDashedId(word)),
      allowPositionals: true,
      options: { all: { type: 'boolean' }, json: { type: 'boolean' }, owner: { type: 'string' } },
    });
    const [command, ...plain] = positionals;
    const ids = [...plain, ...args.filter(isDashedId)];
    const { all = false, json = false, owner } = values;
    if (command === 'list' && ids.length === 0 && !all) return { command, ids, all, owner, json };
    if (isVerb(command) && ids.length > 0 !== all) return { command, ids, all, owner, json };
  } catch {
    // The usage is more helpful than the error of parseArgs.
  }
  throw new Error(USAGE);
}

/** @returns the exit code: 1 when a given id was not found */
export async function perform(
  asked: Asked,
  letters: DeadLetters,
  say: (text: string) => void,
): Promise<number> {
  const { command } = asked;
  if (command === 'list') {
    const found = await letters.list(asked.owner);
    say(asked.json ? JSON.stringify(found) : found.length > 0 ? table(found) : NONE);
    return 0;
  }
  const ids = asked.all ? (await letters.list(asked.owner)).map(({ id }) => id) : asked.ids;
  let missing = 0;
  for (const id of ids) {
    const isDone = await letters[command](id);
    if (!isDone) missing++;
    say(isDone ? DONE[command](id) : `${id} is not there.`);
  }
  if (ids.length === 0) say(NONE);
  return missing === 0 ? 0 : 1;
}

const ERROR_SHOWN = 100;

export function table(letters: readonly Letter[]): string {
  const rows = letters.map(({ id, kind, owner, what, key, place = '', failedAt, error }) => [
    id,
    kind,
    owner,
    key === undefined ? what : `${what} ${key}`,
    place,
    failedAt,
    error.replaceAll(/\s+/g, ' ').slice(0, ERROR_SHOWN),
  ]);
  const lines = [['id', 'kind', 'owner', 'what', 'where', 'failed', 'why'], ...rows];
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
