/** "npm run events": events as they happen, and whether consumers of the last release can read today's. */
import { breakingChanges } from '@arboleda/contracts/events/compatibility.ts';
import { followLogs } from '../logs.ts';
import { Fault, runCommand } from '../terminal/command.ts';
import { publishedNow, readReleased, eventText, writeReleased } from './events.ts';

const USAGE = `npm run events -- tail [type …]   events from now on, as consumer groups handle them; Ctrl-C ends it
npm run events -- check           what would break consumers of the last release
npm run events -- release         keeps today's events as those of the release`;

await runCommand(async () => {
  const [command, ...types] = process.argv.slice(2);
  if (command === 'tail') return tail(types);
  if (types.length > 0 || (command !== 'check' && command !== 'release')) throw new Fault(USAGE);
  const now = publishedNow();
  const changes = breakingChanges(readReleased(), now);
  for (const change of changes) console.log(change);
  if (command === 'release') {
    writeReleased(now);
    console.log(`${now.length} event types are kept, ${changes.length} changes break consumers.`);
    return 0;
  }
  console.log(changes.length === 0 ? 'No change breaks consumers of the last release.' : USAGE);
  return changes.length === 0 ? 0 : 1;
});

async function tail(types: readonly string[]): Promise<number> {
  const known: string[] = publishedNow().map(({ type }) => type);
  const unknown = types.find((type) => !known.includes(type));
  if (unknown !== undefined) throw new Fault(`There is no event ${unknown}. There are: ${known.join(', ')}.`);
  const lines = followLogs(process.env);
  console.log('Events from now on; Ctrl-C ends it.');
  for await (const line of lines) {
    const text = eventText(line, types);
    if (text !== undefined) console.log(text);
  }
  return 0;
}
