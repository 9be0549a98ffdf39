import { orderTokens } from '@arboleda/chassis/order-token.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { OpenService } from '@arboleda/chassis/service.ts';
import type { transfersEndpoints } from '@arboleda/contracts/endpoints/transfers.ts';
import { type TransfersConfig, USUAL_BOUNDS } from './config.ts';
import { evidenceObjects } from './evidence.ts';
import { transferFollowers, type TransferFollowers } from './followers.ts';
import { housekeeping } from './housekeeping.ts';
import { boundSharp, imageReader } from './images.ts';
import { transferLists } from './list.ts';
import { transferMetrics } from './metrics.ts';
import { transferRoutes } from './routes.ts';
import { transferStore } from './store.ts';
import { submitter } from './submit.ts';

export interface Transfers {
  routes: Handlers<typeof transfersEndpoints>;
  followers: TransferFollowers;
}

const HOUSEKEEPING_EVERY_MS = 5 * 60_000;

/** Bank transfers: announced with their evidence, decided by admins. */
export async function openTransfers(parts: {
  service: Pick<OpenService, 'platform' | 'call' | 'clock' | 'metrics'>;
  sql: Sql;
  jobs: Jobs;
  config: { quoteSecret: string; orderTokenSecret: string; transfers: TransfersConfig };
  housekeepingEveryMs?: number;
}): Promise<Transfers> {
  boundSharp();
  const { sql, jobs, housekeepingEveryMs = HOUSEKEEPING_EVERY_MS } = parts;
  const { call, clock, metrics, platform } = parts.service;
  const { quoteSecret, orderTokenSecret, transfers: config } = parts.config;
  const evidence = evidenceObjects(sql, await platform.objects('payments'), clock);
  const store = transferStore(sql, evidence, clock);
  const tidy = housekeeping({ sql, evidence, retentionDays: config.evidenceRetentionDays, clock });
  await jobs.every('transfers', housekeepingEveryMs, tidy);
  return {
    followers: transferFollowers(evidence),
    routes: transferRoutes({
      store,
      lists: transferLists(sql),
      evidence,
      submit: submitter({
        store,
        evidence,
        readImages: imageReader(),
        call,
        quoteSecret,
        orderToken: orderTokens(orderTokenSecret),
        clock,
        bounds: config.undecided ?? USUAL_BOUNDS,
      }),
      rule: config,
      metrics: transferMetrics(metrics, store, clock),
      clock,
    }),
  };
}
