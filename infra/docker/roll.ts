/**
 * npm run roll -- [service …]: a rolling update without failed calls, one service at a time. New containers start,
 * the gateway finds them, then the old ones drain and stop. The gateway itself is not rolled, because two cannot
 * share its port.
 */
import { SERVICES } from '@arboleda/contracts/services.ts';
import { exitAfterFlush } from '@arboleda/chassis/leave.ts';
import { rollServices } from './rolling.ts';

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !SERVICES.includes(name as (typeof SERVICES)[number]));
if (unknown.length > 0) {
  console.error(`There is no service "${unknown.join('", "')}". There are: ${SERVICES.join(', ')}.`);
  await exitAfterFlush(1);
}
try {
  await rollServices(asked.length > 0 ? asked : SERVICES, (line) => console.log(line));
} catch (error) {
  console.error((error as { stderr?: string }).stderr || (error as Error).message);
  await exitAfterFlush(1);
}
