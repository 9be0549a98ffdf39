/** "npm run events -- tail": events as they happen. */
import { EVENTS } from '@arboleda/contracts/events/index.ts';
import { followLogs } from '../logs.ts';
import { Fault, runCommand } from '../terminal/command.ts';
import { eventText } from './events.ts';

const USAGE =
  'npm run events -- tail [type …]   events from now on, as consumer groups handle them; Ctrl-C ends it';

await runCommand(async () => {
  const [command, ...types] = process.argv.slice(2);
  if (command !== 'tail') throw new Fault(USAGE);
  const unknown = types.find((type) => !Object.hasOwn(EVENTS, type));
  if (unknown !== undefined)
    throw new Fault(`There is no event ${unknown}. There are: ${Object.keys(EVENTS).join(', ')}.`);
  const lines = followLogs(process.env);
  console.log('Events from now on; Ctrl-C ends it.');
  for await (const line of lines) {
    const text = eventText(line, types);
    if (text !== undefined) console.log(text);
  }
  return 0;
});
