/** "npm run follow -- <order>": what the services' logs say about one order, from payment to emails. */
import { createReadStream } from 'node:fs';
import { parseArgs } from 'node:util';
import { logFiles, type LogLine, logLinesIn, logsOfContainers } from '../logs.ts';
import { Fault, orUsage, runCommand } from '../terminal/command.ts';
import { findOrders, storyText } from './story.ts';

const USAGE = `npm run follow -- <short id or id of an order> [--reads] [--since 24h] [-]
  --reads   also requests that only read
  --since   how far back to look in containers
  -         reads log lines from standard input, for example: kubectl logs … | npm run follow -- 7FCE21 -
`;
const ID = /^[0-9a-f]{6,24}$/i;

await runCommand(async () => {
  const { id, reads, since, source } = orUsage(readArguments, USAGE);
  const lines: LogLine[] = [];
  for (const input of source === '-' ? [process.stdin] : openLogs(since))
    for await (const line of logLinesIn(input)) lines.push(line);
  const [orderId, ...others] = findOrders(lines, id);
  if (!orderId)
    throw new Fault(`Nothing is known of an order ${id}: the logs do not go back so far, or it is mistyped.`);
  if (others.length > 0)
    throw new Fault(`Several orders end so: ${[orderId, ...others].join(', ')}. Give the whole id.`);
  console.log(storyText(lines, orderId, { reads }));
  return 0;
});

/** @throws when the arguments are not those of the usage */
function readArguments() {
  const { values, positionals } = parseArgs({
    options: { reads: { type: 'boolean' }, since: { type: 'string' } },
    allowPositionals: true,
  });
  const [id = '', source, ...more] = positionals;
  const isUsual = source === undefined || source === '-';
  if (!ID.test(id) || !isUsual || more.length > 0) throw new Error(USAGE);
  return { ...values, id, source };
}

function openLogs(since: string | undefined): NodeJS.ReadableStream[] {
  const files = logFiles(process.env);
  if (files.length > 0) return files.map((file) => createReadStream(file));
  return [logsOfContainers(...(since ? ['--since', since] : []))];
}
