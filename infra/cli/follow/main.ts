/** "npm run follow -- <order>": what the services' logs say about one order, from payment to emails. */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { logFiles, type LogLine, logsOfContainers, readLogLine } from '../logs.ts';
import { findOrders, tellStory } from './story.ts';

const USAGE = `npm run follow -- <short id or id of an order> [--reads] [--since 24h] [-]
  --reads   also requests that only read
  --since   how far back to look in containers
  -         reads log lines from standard input, for example: kubectl logs … | npm run follow -- 7FCE21 -
`;
const ID = /^[0-9a-f]{6,24}$/i;

process.exitCode = await follow();

async function follow(): Promise<number> {
  const { id, reads, since, fromInput } = understood();
  if (!id || !ID.test(id)) return refuse(USAGE);
  const lines = await readLines(fromInput ? [process.stdin] : openLogs(since));
  const [orderId, ...others] = findOrders(lines, id);
  if (!orderId)
    return refuse(`Nothing is known of an order ${id}: the logs do not go back so far, or it is mistyped.\n`);
  if (others.length > 0)
    return refuse(`Several orders end so: ${[orderId, ...others].join(', ')}. Give the whole id.\n`);
  process.stdout.write(`${tellStory(lines, orderId, { reads })}\n`);
  return 0;
}

function understood(): { id?: string; reads?: boolean; since?: string; fromInput?: boolean } {
  try {
    const { values, positionals } = parseArgs({
      options: { reads: { type: 'boolean' }, since: { type: 'string' } },
      allowPositionals: true,
    });
    const [id, source, ...more] = positionals;
    if (!id || more.length > 0 || (source !== undefined && source !== '-')) return {};
    return { ...values, id, fromInput: source === '-' };
  } catch {
    return {};
  }
}

function refuse(sentence: string): number {
  process.stderr.write(sentence);
  return 1;
}

function openLogs(since: string | undefined): NodeJS.ReadableStream[] {
  const files = logFiles(process.env);
  if (files.length > 0) return files.map((file) => createReadStream(file));
  return [logsOfContainers(...(since ? ['--since', since] : []))];
}

async function readLines(streams: readonly NodeJS.ReadableStream[]): Promise<LogLine[]> {
  const lines: LogLine[] = [];
  for (const input of streams) {
    for await (const text of createInterface({ input })) {
      const line = readLogLine(text);
      if (line) lines.push(line);
    }
  }
  return lines;
}
