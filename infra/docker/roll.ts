/**
 * npm run roll -- [service …]: puts new containers in the place of the running ones, a service at a time, without a
 * failed call: new ones come first, the gateway finds them, then the old ones drain and end. The gateway holds a port of
 * the machine and cannot be there twice: it is not rolled.
 */
import { SERVICES } from '@arboleda/contracts/services.ts';
import { leave } from '@arboleda/chassis/leave.ts';
import { rollServices } from './rolling.ts';

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !SERVICES.includes(name as (typeof SERVICES)[number]));
if (unknown.length > 0) {
  console.error(`There is no service "${unknown.join('", "')}". There are: ${SERVICES.join(', ')}.`);
  await leave(1);
}
try {
  await rollServices(asked.length > 0 ? asked : SERVICES, (line) => console.log(line));
} catch (error) {
  console.error((error as { stderr?: string }).stderr || (error as Error).message);
  await leave(1);
}
