import { linesOf } from '@arboleda/chassis/backup/format.ts';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { PassThrough, Readable, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { Fault } from '../terminal/command.ts';
import { FOLDER_MODE } from './files.ts';

/** An installation other than that of this folder. */
export interface Installation {
  project?: string | undefined;
  envFile?: string | undefined;
}

type Command = (args: readonly string[]) => [program: string, ...args: string[]];

/** Runs `docker compose …` for one installation. Each call throws a Fault with the error output. */
export interface Compose {
  run(args: readonly string[], input?: string): Promise<string>;
  /** Writes the output to a file that only its owner may read. */
  toFile(args: readonly string[], file: string, input?: string): Promise<void>;
  /** Calls `take` with each line of output. */
  lines(args: readonly string[], input: string, take: (line: string) => void): Promise<void>;
  /** @param before sent to the command before the file */
  fromFile(args: readonly string[], file: string, before?: string): Promise<void>;
  /** The SHA-256 of the output. */
  sum(args: readonly string[]): Promise<string>;
}

/** @param command replaces `docker compose` and the options of the installation */
export function openCompose({ project, envFile }: Installation, command?: Command): Compose {
  const own = [...(project ? ['-p', project] : []), ...(envFile ? ['--env-file', envFile] : [])];
  const { PATH, HOME, DOCKER_HOST } = process.env;
  // Without variables of this folder's .env, which would override the given file.
  const env = envFile ? { PATH, HOME, ...(DOCKER_HOST && { DOCKER_HOST }) } : process.env;

  const start = async (
    args: readonly string[],
    input: Readable | string | undefined,
    output: (stdout: Readable) => Promise<unknown>,
  ): Promise<void> => {
    const [program, ...rest] = command?.(args) ?? ['docker', 'compose', ...own, ...args];
    const child = spawn(program, rest, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env,
    });
    const complaint = text(child.stderr);
    const code = new Promise<number | null>((resolve, reject) =>
      child.once('error', reject).once('close', resolve),
    );
    // A command that ends early stops reading; its error output says why.
    const feeding = feed(child.stdin, input).catch(() => undefined);
    await Promise.all([output(child.stdout), feeding, code]);
    if ((await code) !== 0) throw new Fault(`docker compose ${args.join(' ')}: ${lastLine(await complaint)}`);
  };

  return {
    async run(args, input) {
      let said = '';
      await start(args, input, async (stdout) => (said = await text(stdout)));
      return said;
    },
    async toFile(args, file, input) {
      await mkdir(dirname(file), { recursive: true, mode: FOLDER_MODE });
      await start(args, input, (stdout) =>
        pipeline(stdout, createWriteStream(file, { mode: 0o600, flush: true })),
      );
    },
    async lines(args, input, take) {
      await start(args, input, async (stdout) => {
        for await (const line of linesOf(stdout)) take(line);
      });
    },
    fromFile: (args, file, before = '') =>
      start(args, Readable.from(both(before, file)), (stdout) => text(stdout)),
    async sum(args) {
      const hash = createHash('sha256');
      await start(args, undefined, (stdout) => pipeline(stdout, new PassThrough(), hash));
      return hash.digest('hex');
    },
  };
}

async function* both(before: string, file: string) {
  if (before !== '') yield Buffer.from(before);
  yield* createReadStream(file) as AsyncIterable<Buffer>;
}

async function feed(stdin: Writable, input: Readable | string | undefined): Promise<void> {
  if (input === undefined || typeof input === 'string') {
    stdin.end(input ?? '');
    await finished(stdin);
  } else {
    await pipeline(input, stdin);
  }
}

const lastLine = (complaint: string): string =>
  complaint.trim().split('\n').at(-1) || 'it failed and did not say why';
