/** "npm run events": whether consumers of the last release can read today's events, and what a release keeps for that. */
import { breakingChanges } from '@arboleda/contracts/events/compatibility.ts';
import { publishedNow, readReleased, writeReleased } from './released.ts';

const USAGE = `npm run events -- check     what would break consumers of the last release
npm run events -- release   keeps today's events as those of the release
`;

const [command, ...rest] = process.argv.slice(2);
if (rest.length > 0 || (command !== 'check' && command !== 'release')) {
  process.stderr.write(USAGE);
  process.exit(1);
}

const changes = breakingChanges(readReleased(), publishedNow());
for (const change of changes) console.log(change);
if (command === 'release') {
  writeReleased(publishedNow());
  console.log(`${publishedNow().length} event types are kept, ${changes.length} changes break consumers.`);
} else {
  console.log(changes.length === 0 ? 'No change breaks consumers of the last release.' : USAGE);
  process.exitCode = changes.length === 0 ? 0 : 1;
}
