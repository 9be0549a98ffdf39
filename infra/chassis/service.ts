import type { Endpoint } from '@arboleda/contracts/endpoint.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import { VERSION } from '@arboleda/contracts/version.ts';
import type { ServiceConfig } from './config.ts';
import { openAdmission, openEventLoopMonitor } from './http/admission.ts';
import { serviceApp } from './http/app.ts';
import { type ServiceClient, openServiceClient } from './http/client.ts';
import type { Handlers } from './http/handlers.ts';
import { openIdentity } from './http/identity.ts';
import { exposeDependencyMetrics, exposeGroupMetrics, type Metrics, openMetrics } from './http/metrics.ts';
import { contractRouter } from './http/router.ts';
import { listen } from './http/server.ts';
import { type Logger, openLogger } from './log.ts';
import { openConnectRetry } from './connect-retry.ts';
import { openPlatform } from './platform.ts';
import type { Dependency } from './ports/engine.ts';
import type { EventHandlers } from './ports/event-bus.ts';
import type { Platform } from './ports/platform.ts';
import type { Sql } from './ports/sql.ts';
import { openReadinessCheck } from './readiness.ts';
import { startTelemetry } from './telemetry/start.ts';
import type { RequestHandler } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';

export interface RunningService {
  name: ServiceName;
  url: string;
  /** Stops accepting, waits for work in progress, and closes what was opened. */
  close(): Promise<void>;
}

/** Replaces parts of a service in launchers and tests. */
export interface Overrides {
  platform?: Platform;
  logger?: Logger;
  clock?: () => Date;
  /** Monotonic clock in milliseconds, for polling ended sessions. */
  now?: () => number;
}

/** A service during its start. */
export interface OpenService {
  /** Dependencies opened through it appear in /readyz and in the metrics. */
  platform: Platform;
  logger: Logger;
  metrics: Metrics;
  clock: () => Date;
  call: ServiceClient;
  /** Runs on close, in reverse order. */
  onClose(close: () => Promise<void>): void;
  subscribe(handlers: EventHandlers): Promise<void>;
  listen<Owned extends Record<string, Endpoint>>(
    endpoints: Owned,
    handlers: Handlers<Owned>,
  ): Promise<RunningService>;
}

/**
 * Opens the parts that all services need. The server answers at once: /livez, /readyz with what it waits for, and
 * 503 to the rest until `listen`. It waits for engines, and for an operator where its password is refused or its data may
 * not be opened. Any other failure of the start ends the process: see run.
 */
export async function openService(
  name: ServiceName,
  config: ServiceConfig,
  overrides: Overrides = {},
): Promise<OpenService> {
  const logger = overrides.logger?.child({ service: name }) ?? openLogger(name, config.logLevel);
  const metrics = openMetrics(name);
  const connectRetry = openConnectRetry(logger, name);
  const needs = openReadinessCheck(logger, name);
  const closers: (() => Promise<void>)[] = [];
  const stopping = new AbortController();
  let stage: 'starting' | 'running' | 'stopping' = 'starting';
  let routes: RequestHandler | undefined;
  let auditRead: Sql['auditRead'] | undefined;

  const ready = async () => {
    if (stage === 'stopping') return { ready: false, waitingFor: ['stop'] };
    const awaited = connectRetry.waitingFor();
    if (stage === 'starting')
      return {
        ready: false,
        waitingFor: awaited.length > 0 ? awaited : ['start'],
        reason: connectRetry.reason(),
      };
    const answer = await needs.ask();
    return { ready: answer.waitingFor.length === 0, ...answer };
  };
  const app = serviceApp({
    service: name,
    metrics,
    logger,
    ready,
    routes: () => routes,
    draining: () => stage === 'stopping',
  });
  const server = await listen(app, config);
  const close = async () => {
    const leaving = stage === 'running';
    stage = 'stopping';
    // Ends streams, so that listeners reconnect to another replica.
    stopping.abort();
    // Callers turn to other replicas before anything closes.
    if (leaving) await sleep(config.drainMs);
    const faults: unknown[] = [];
    for (const one of closers.splice(0).reverse()) await one().catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw new AggregateError(faults, `${name} did not close cleanly`);
  };

  const telemetry = await startTelemetry({ service: name, endpoint: config.otlpEndpoint });
  if (telemetry) closers.push(() => telemetry.stop());
  const given = overrides.platform ?? (await openPlatform(config.platform, logger, { connectRetry }));
  if (!overrides.platform) closers.push(() => given.close());
  const platform = watched(given, (dependency) => {
    needs.add(dependency);
    exposeDependencyMetrics(metrics, dependency);
    if ('auditRead' in dependency) ({ auditRead } = dependency as Sql);
  });
  const { serviceKeys: keys, serviceUrls: urls } = config;
  const clients = openServiceClient({ from: name, keys, urls, logger });
  closers.push(async () => clients.close());
  return {
    platform,
    logger,
    metrics,
    clock: overrides.clock ?? (() => new Date()),
    call: clients.call,
    onClose: (one) => void closers.push(one),
    async subscribe(handlers) {
      needs.add(platform.bus);
      exposeGroupMetrics(metrics, platform.bus, name);
      await platform.bus.subscribe(name, counted(handlers, metrics));
    },
    async listen(endpoints, handlers) {
      const identity = openIdentity({
        jwksUrl: config.jwksUrl,
        serviceKeys: config.serviceKeys,
        service: name,
        logger,
        now: overrides.now,
      });
      const loop = openEventLoopMonitor();
      closers.push(async () => loop.close());
      routes = contractRouter(endpoints, handlers, identity, {
        stopping: stopping.signal,
        auditRead,
        admission: openAdmission(config.maxCallsInFlight, loop),
      });
      stage = 'running';
      closers.push(() => server.close());
      logger.info({ version: VERSION, url: server.url }, 'listening');
      return { name, url: server.url, close };
    },
  };
}

/** Reports every dependency that is opened through the platform. */
function watched(platform: Platform, opened: (dependency: Dependency) => void): Platform {
  const watch = <T extends Dependency>(dependency: T): T => {
    opened(dependency);
    return dependency;
  };
  const { mongodb } = platform;
  return {
    ...platform,
    ...(mongodb && { mongodb: async (service, open) => watch(await mongodb(service, open)) }),
    jobs: (service) => watch(platform.jobs(service)),
    sql: async (service, migrations) => watch(await platform.sql(service, migrations)),
    objects: async (bucket) => watch(await platform.objects(bucket)),
    mailer: () => watch(platform.mailer()),
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
