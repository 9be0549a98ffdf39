/** "npm run backup -- rehearse": loses an installation and looks at what its backup brings back. */

import { exitAfterFlush } from '@arboleda/chassis/leave.ts';
import { machine } from '../../report/page.ts';
import { rehearseCompose } from './compose.ts';
import { rehearseEmbedded } from './embedded.ts';

const isShort = process.argv.includes('--short');
const rehearse = () =>
  process.argv.includes('--compose')
    ? rehearseCompose({ purchases: isShort ? 3 : 20 })
    : rehearseEmbedded({ purchases: isShort ? 6 : 200 });

console.log(machine());
const { rows, violations } = await rehearse();
for (const [what, figure] of rows) console.log(`  ${what.padEnd(58)}${figure}`);
for (const violation of violations) console.log(`  ✗ ${violation}`);
console.log(violations.length === 0 ? 'No violation' : `${violations.length} violations`);
await exitAfterFlush(violations.length === 0 ? 0 : 1);
