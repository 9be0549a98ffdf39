import { events } from './events/events.ts';
import { gateway } from './gateway/gateway.ts';
import { line } from './line/line.ts';
import { machine } from './machine.ts';
import { web } from './web/web.ts';

/** What `npm run bench -- name` measures. */
const BENCHES: Record<string, (options: { quick: boolean }) => Promise<void>> = {
  line,
  events,
  gateway,
  web,
};

const { positionals, quick } = read(process.argv.slice(2));
const unknown = positionals.filter((name) => !(name in BENCHES));
if (unknown.length > 0) {
  console.error(
    `There is no bench "${unknown.join('", "')}". There are: ${Object.keys(BENCHES).join(', ')}.`,
  );
  process.exit(1);
}
console.log(machine());
for (const name of positionals.length > 0 ? positionals : Object.keys(BENCHES))
  await BENCHES[name]!({ quick });

function read(args: readonly string[]) {
  return { positionals: args.filter((arg) => !arg.startsWith('--')), quick: args.includes('--quick') };
}
