import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import { orderTokens } from '@arboleda/chassis/order-token.ts';
import type { Jobs } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { OpenService } from '@arboleda/chassis/service.ts';
import type { transfersEndpoints } from '@arboleda/contracts/endpoints/transfers.ts';
import type { ArboledaEvent } from '@arboleda/contracts/events/index.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import { ERASED_CUSTOMER, isErased } from '@arboleda/contracts/order.ts';
import { type TransfersConfig, USUAL_BOUNDS } from './config.ts';
import { statementMatching } from '../statements/matching.ts';
import { eraseRows } from '../statements/row-store.ts';
import { boundSharp, evidenceObjects, type EvidenceObjects, imageReader } from './evidence.ts';
import { transferLists } from './list.ts';
import { transferMetrics, transferRoutes } from './routes.ts';
import { type TransferStore, transferStore } from './store.ts';
import { submitter } from './submit.ts';
import { referenceOrigin, type TransferDecision } from './transfer.ts';

interface Transfers {
  store: TransferStore;
  /** Counts a decision. */
  decided: (decision: TransferDecision) => void;
  routes: Handlers<typeof transfersEndpoints>;
  followers: TransferFollowers;
}

const HOUSEKEEPING_EVERY_MS = 5 * 60_000;

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
  const counted = transferMetrics(metrics, store, clock);
  return {
    store,
    decided: counted.decided,
    followers: transferFollowers(evidence),
    routes: transferRoutes({
      store,
      lists: transferLists(sql),
      onStatements: statementMatching(sql).ofTransfers,
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
      metrics: counted,
      clock,
    }),
  };
}

/** Effects of other services' events on transfers, in the transaction that handles the event. */
export interface TransferFollowers {
  /** Copies the buyer's data from orders. */
  orderUpdated(tx: Transaction, event: ArboledaEvent<'order.updated'>): Promise<void>;
  /** Erases transfers that orders does not know yet; orders publishes the erasure of all others. */
  customerErased(tx: Transaction, event: Pick<ArboledaEvent<'customer.erased'>, 'data'>): Promise<void>;
}

function transferFollowers(evidence: EvidenceObjects): TransferFollowers {
  /**
   * Updates the buyer. An erased buyer stays erased, even when an older event arrives late.
   * @param where a condition on $4, and on $2 as `at`
   */
  async function follow(
    tx: Transaction,
    { customer, at }: { customer: Customer; at: string },
    [where, value]: [string, string],
  ): Promise<void> {
    const { rows } = await tx.query<{ id: string; reference: string | null }>(
      `update transfers set customer = $1, customer_at = $2
       where ${where} and (customer_at is null or customer_at <= $2 or $5) and customer ->> 'email' <> $3
       returning id, reference`,
      [JSON.stringify(customer), at, ERASED_CUSTOMER.email, value, isErased(customer.email)],
    );
    if (rows.length === 0 || !isErased(customer.email)) return;
    const ids = rows.map(({ id }) => id);
    await tx.query(
      `update transfers set fingerprint = null, request_hash = '', locale = null, gift = null, details = null
       where id = any($1)`,
      [ids],
    );
    await eraseRows(tx, ids);
    // A reference of ours stays for matches; any other may say who paid.
    const typed = rows.filter(({ reference }) => referenceOrigin(reference ?? undefined) !== 'ours');
    await tx.query('update transfers set reference = null, reference_key = null where id = any($1)', [
      typed.map(({ id }) => id),
    ]);
    await evidence.remove(tx, ids);
  }

  return {
    orderUpdated: (tx, { data: { orderId, customer, at } }) =>
      follow(tx, { customer, at }, ['order_id = $4', orderId]),
    customerErased: async (tx, { data: { email, ordersToo, at } }) => {
      if (!ordersToo) return;
      // A later transfer under the same address is somebody else's.
      const theirs = `customer ->> 'email' = $4 and created_at <= $2`;
      await follow(tx, { customer: { ...ERASED_CUSTOMER }, at }, [theirs, email]);
    },
  };
}

const DAY_MS = 86_400_000;
/** Retention of suggested references that were not used. */
const REFERENCE_DAYS = 90;
const TRANSFERS_AT_ONCE = 200;

/** Deletes expired evidence, orphaned objects and unused references. */
function housekeeping(parts: {
  sql: Sql;
  evidence: EvidenceObjects;
  retentionDays: number | undefined;
  clock: () => Date;
}): () => Promise<void> {
  const { sql, evidence, retentionDays, clock } = parts;
  const daysAgo = (days: number) => new Date(clock().getTime() - days * DAY_MS);

  const removeOldEvidence = (days: number) =>
    sql.transaction(async (tx) => {
      const { rows } = await tx.query<{ id: string }>(
        `select id from transfers where decided_at < $1 and evidence_removed_at is null
         order by decided_at limit $2 for update skip locked`,
        [daysAgo(days), TRANSFERS_AT_ONCE],
      );
      await evidence.remove(
        tx,
        rows.map(({ id }) => id),
      );
    });

  return async () => {
    if (retentionDays !== undefined) await removeOldEvidence(retentionDays);
    await sql.query('delete from transfer_references where suggested_at < $1', [daysAgo(REFERENCE_DAYS)]);
    await evidence.sweep();
  };
}
