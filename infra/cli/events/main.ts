/** "npm run events": events as they happen, and whether consumers of the last release can read today's. */
import { breakingChanges } from '@arboleda/contracts/events/compatibility.ts';
import { followLogs } from '../logs.ts';
import { publishedNow, readReleased, tellEvent, writeReleased } from './events.ts';

const USAGE = `npm run events -- tail [type …]   events from now on, as consumer groups handle them; Ctrl-C ends it
npm run events -- check           what would break consumers of the last release
npm run events -- release         keeps today's events as those of the release
`;

const [command, ...types] = process.argv.slice(2);
if (command === 'tail') await tail();
else if (types.length === 0 && command === 'check') check();
else if (types.length === 0 && command === 'release') release();
else refuse(USAGE);

async function tail(): Promise<void> {
  const known: string[] = publishedNow().map(({ type }) => type);
  const unknown = types.find((type) => !known.includes(type));
  if (unknown !== undefined) return refuse(`There is no event ${unknown}. There are: ${known.join(', ')}.\n`);
  const lines = followLogs(process.env);
  console.log('Events from now on; Ctrl-C ends it.');
  for await (const line of lines) {
    const told = tellEvent(line, types);
    if (told !== undefined) console.log(told);
  }
}

function check(): void {
  const changes = breakingChanges(readReleased(), publishedNow());
  for (const change of changes) console.log(change);
  console.log(changes.length === 0 ? 'No change breaks consumers of the last release.' : USAGE);
  process.exitCode = changes.length === 0 ? 0 : 1;
}

function release(): void {
  const changes = breakingChanges(readReleased(), publishedNow());
  for (const change of changes) console.log(change);
  writeReleased(publishedNow());
  console.log(`${publishedNow().length} event types are kept, ${changes.length} changes break consumers.`);
}

function refuse(sentence: string): void {
  process.stderr.write(sentence);
  process.exitCode = 1;
}
