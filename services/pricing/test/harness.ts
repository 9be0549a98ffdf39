import { testServiceConfig } from '@arboleda/chassis/testing/config.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Platform } from '@arboleda/chassis/ports/platform.ts';
import type { Overrides } from '@arboleda/chassis/service.ts';
import { migratedTemplate } from '@arboleda/chassis/testing/database.ts';
import { startTestIdentity } from '@arboleda/chassis/testing/identity.ts';
import { openTestPlatform } from '@arboleda/chassis/testing/platform.ts';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PricingConfig } from '../config.ts';
import { startPricing } from '../service.ts';

const TEMPLATE = migratedTemplate('pricing', new URL('../migrations/', import.meta.url));
export const QUOTE_SECRET = 'a quote secret that only tests know';

/** Pricing with its own database; `start` may be called repeatedly, for replicas and restarts. */
export async function openHarness() {
  const [platform, identity] = await Promise.all([
    openTestPlatform({ template: TEMPLATE }),
    startTestIdentity(),
  ]);
  const running: { close(): Promise<void> }[] = [];
  let turns = 0;
  const watched: Platform = {
    ...platform,
    jobs(service) {
      const jobs = platform.jobs(service);
      const every: Jobs['every'] = (name, intervalMs, run) =>
        jobs.every(name, intervalMs, () => run().finally(() => turns++));
      return { ...jobs, every };
    },
  };
  return {
    identity,
    /** Runs of a replica's refresh job, whether due or not. */
    turns: () => turns,
    async start(
      own: Partial<PricingConfig> = {},
      overrides: Pick<Overrides, 'clock'> = {},
    ): Promise<{ url: string; close(): Promise<void> }> {
      const config: PricingConfig = {
        ...testServiceConfig({ databaseUrl: platform.databaseUrl, jwksUrl: identity.jwksUrl }),
        quoteSecret: QUOTE_SECRET,
        ratesUrl: undefined,
        isTrial: false,
        ratesRefreshMs: 50,
        ratesRetryMs: 50,
        ratesCacheMs: 0,
        ratesAlertAfterDays: Infinity,
        ratesOfferedForDays: Infinity,
        ...own,
      };
      const service = await startPricing(config, { platform: watched, ...overrides });
      running.push(service);
      return service;
    },
    async close() {
      for (const one of running.reverse()) await one.close();
      await platform.close();
      await identity.close();
    },
  };
}

/** A fake provider whose answers the test controls. */
export async function startProvider() {
  let answer: { status: number; body: unknown } = { status: 503, body: {} };
  let calls = 0;
  const server = createServer((_request, response) => {
    calls++;
    response.writeHead(answer.status, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer.body));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    calls: () => calls,
    says(date: string, rates: Record<string, number>) {
      answer = { status: 200, body: { base: 'USD', date, rates } };
    },
    fails() {
      answer = { status: 503, body: {} };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
