/** Dead letters as far as one process' environment reaches: "npm run dlq" calls it, also inside a container. */
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { basename } from 'node:path';
import { readEnvironment } from '../environment.ts';
import { openLogger } from '../log.ts';
import { platformConfig, platformShape } from '../platform-config.ts';
import { openPlatform } from '../platform.ts';
import { perform, readArguments } from './command.ts';
import { openDeadLetters } from './dead-letters.ts';

/** In an image: the folder of the one service whose database can be reached. */
const own = basename(process.env.SERVICE ?? '') as ServiceName;

try {
  const asked = readArguments(process.argv.slice(2));
  const config = platformConfig(readEnvironment(process.env, platformShape));
  const platform = await openPlatform(config, openLogger('dlq', 'error'));
  const letters = openDeadLetters(platform, SERVICES.includes(own) ? [own] : SERVICES);
  process.exitCode = await perform(asked, letters, (text) => process.stdout.write(`${text}\n`));
  await platform.close();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
