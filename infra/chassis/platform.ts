import type { PlatformConfig } from './config.ts';
import type { Logger } from './log.ts';
import type { Platform } from './ports/platform.ts';

/** The engines that the environment chooses. This is the one place that knows which adapter stands behind a port. */
export async function openPlatform(_config: PlatformConfig, _logger: Logger): Promise<Platform> {
  throw new Error('being written');
}
