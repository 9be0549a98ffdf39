import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import type { ServiceConfig } from './config.ts';
import { serviceApp } from './http/app.ts';
import { type ServiceClient, openServiceClient } from './http/client.ts';
import type { Handlers } from './http/handlers.ts';
import { openIdentity } from './http/identity.ts';
import { openMetrics, type Metrics } from './http/metrics.ts';
import { contractRouter } from './http/router.ts';
import { listen } from './http/server.ts';
import { type Logger, openLogger } from './log.ts';
import { openPlatform } from './platform.ts';
import type { EventHandlers } from './ports/event-bus.ts';
import type { Platform } from './ports/platform.ts';

export interface RunningService {
  name: ServiceName;
  url: string;
  /** Stop accepting, finish what is in hand, close what was opened. */
  close(): Promise<void>;
}

/** What a launcher or a test puts in the place of what the environment says. */
export interface Overrides {
  platform?: Platform;
  logger?: Logger;
  clock?: () => Date;
}

/** A service while it is being put together. */
export interface OpenService {
  platform: Platform;
  logger: Logger;
  metrics: Metrics;
  clock: () => Date;
  call: ServiceClient;
  /** Run on close, last registered first. */
  onClose(close: () => Promise<void>): void;
  /** What /readyz asks; each throws while its dependency does not answer. */
  onReady(check: () => Promise<void>): void;
  subscribe(handlers: EventHandlers): Promise<void>;
  listen<Owned extends Record<string, Endpoint>>(
    endpoints: Owned,
    handlers: Handlers<Owned>,
  ): Promise<RunningService>;
}

/** Opens what every service stands on. A start that fails on the way ends its process: see run. */
export async function openService(
  name: ServiceName,
  config: ServiceConfig,
  overrides: Overrides = {},
): Promise<OpenService> {
  const logger = overrides.logger?.child({ service: name }) ?? openLogger(name, config.logLevel);
  const metrics = openMetrics(name);
  const closers: (() => Promise<void>)[] = [];
  const checks: (() => Promise<void>)[] = [];
  const platform = overrides.platform ?? (await openPlatform(config.platform, logger));
  if (!overrides.platform) closers.push(() => platform.close());
  const close = async () => {
    const faults: unknown[] = [];
    for (const one of closers.splice(0).reverse()) await one().catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw new AggregateError(faults, `${name} did not close cleanly`);
  };
  const { serviceSecret: secret, serviceUrls: urls } = config;
  const clients = openServiceClient({ from: name, secret, urls, logger });
  closers.push(async () => clients.close());
  return {
    platform,
    logger,
    metrics,
    clock: overrides.clock ?? (() => new Date()),
    call: clients.call,
    onClose: (one) => void closers.push(one),
    onReady: (check) => void checks.push(check),
    async subscribe(handlers) {
      checks.push(() => platform.bus.check());
      await platform.bus.subscribe(name, counted(handlers, metrics));
    },
    async listen(endpoints, handlers) {
      const identity = openIdentity({
        jwksUrl: config.jwksUrl,
        serviceSecret: config.serviceSecret,
        service: name,
      });
      const router = contractRouter(
        endpoints,
        handlers as unknown as Parameters<typeof contractRouter>[1],
        identity,
      );
      const ready = async () => void (await Promise.all(checks.map((check) => check())));
      const server = await listen(serviceApp({ router, metrics, logger, ready }), config);
      closers.push(() => server.close());
      logger.info({ url: server.url }, 'listening');
      return { name, url: server.url, close };
    },
  };
}

function counted(handlers: EventHandlers, metrics: Metrics): EventHandlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([type, handle]) => [
      type,
      async (event: never) => {
        try {
          await (handle as (event: never) => Promise<void>)(event);
          metrics.eventsHandled.inc({ type, outcome: 'done' });
        } catch (error) {
          metrics.eventsHandled.inc({ type, outcome: 'failed' });
          throw error;
        }
      },
    ]),
  );
}
