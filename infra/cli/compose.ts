import { spawn, spawnSync } from 'node:child_process';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Fault } from './terminal/command.ts';

const ANSWERS_WITHIN_MS = 10_000;

/** Whether `docker compose` works on this machine. */
export const containersRun = (): boolean =>
  [['info'], ['compose', 'version']].every(
    (args) => spawnSync('docker', args, { stdio: 'ignore', timeout: ANSWERS_WITHIN_MS }).status === 0,
  );

/** An installation other than that of this folder. */
export interface Installation {
  project?: string | undefined;
  envFile?: string | undefined;
}

/** Lines of a stack, and the last line of a program that threw. */
const NOT_A_REASON = /^\s+at |^Node\.js v/;

type Input = AsyncIterable<string | Uint8Array> | Iterable<string>;

/** Runs `docker compose …` for one installation. Each call throws a Fault with the error output. */
export interface Compose {
  /** @returns the output */
  run(args: readonly string[], input?: string): Promise<string>;
  /** Sends the input while `read` reads the output. */
  stream<T>(args: readonly string[], input: Input, read: (output: Readable) => Promise<T>): Promise<T>;
}

interface ComposeOptions {
  /** After this a command is killed. */
  timeoutMs?: number;
  /** Replaces `docker compose` and the options of the installation. */
  command?: (args: readonly string[]) => [program: string, ...args: string[]];
}

export function openCompose(
  { project, envFile }: Installation = {},
  { timeoutMs, command }: ComposeOptions = {},
): Compose {
  const own = [...(project ? ['-p', project] : []), ...(envFile ? ['--env-file', envFile] : [])];
  const { PATH, HOME, DOCKER_HOST } = process.env;
  // Without variables of this folder's .env, which would override the given file.
  const env = envFile ? { PATH, HOME, ...(DOCKER_HOST && { DOCKER_HOST }) } : process.env;

  const stream: Compose['stream'] = async (args, input, read) => {
    const [program, ...rest] = command?.(args) ?? ['docker', 'compose', ...own, ...args];
    const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'], env, timeout: timeoutMs });
    const ended = new Promise<number | null>((resolve, reject) =>
      child.once('error', reject).once('close', resolve),
    );
    // A command that ends early stops reading; its error output says why.
    const feeding = pipeline(input, child.stdin).catch(() => undefined);
    const [result, complaint, code] = await Promise.all([
      read(child.stdout),
      text(child.stderr),
      ended,
      feeding,
    ]);
    if (code === 0) return result;
    const said = complaint.split('\n').filter((line) => line.trim() !== '' && !NOT_A_REASON.test(line));
    const reason = said.at(-1) ?? 'it failed and did not say why';
    throw new Fault(`docker compose ${args.join(' ')}: ${reason}`);
  };
  return { stream, run: (args, input = '') => stream(args, [input], text) };
}
