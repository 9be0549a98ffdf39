/** Manages the dead letters that this environment can reach. "npm run dlq" runs it, also inside a container. */
import { type ServiceName, SERVICES } from '@arboleda/contracts/services.ts';
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { readEnvironment } from '../environment.ts';
import { type Logger, openLogger } from '../log.ts';
import { platformConfig, platformShape } from '../platform-config.ts';
import { openPlatform } from '../platform.ts';
import type { Platform } from '../ports/platform.ts';
import { type GivenUp, openDeadLetters, perform, readArguments } from './dead-letters.ts';

/** In an image: the service whose database is reachable. */
const own = basename(process.env.SERVICE ?? '') as ServiceName;

try {
  const asked = readArguments(process.argv.slice(2));
  const config = platformConfig(readEnvironment(process.env, platformShape));
  const logger = openLogger('dlq', 'error');
  const platform = await openPlatform(config, logger);
  const services = new Map<string, GivenUp>();
  for (const service of SERVICES.includes(own) ? [own] : SERVICES)
    services.set(service, await givenUpBy(service, platform, logger));
  const letters = openDeadLetters(platform.bus, services);
  process.exitCode = await perform(asked, letters, (text) => process.stdout.write(`${text}\n`));
  await platform.close();
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

/** A service with deferred work other than jobs has its own dead-letters.ts. */
async function givenUpBy(service: ServiceName, platform: Platform, logger: Logger): Promise<GivenUp> {
  const own = new URL(`../../../services/${service}/dead-letters.ts`, import.meta.url);
  if (!existsSync(own)) return platform.jobs(service);
  const { openGivenUp } = (await import(own.href)) as {
    openGivenUp(platform: Platform, logger: Logger): Promise<GivenUp>;
  };
  return openGivenUp(platform, logger);
}
