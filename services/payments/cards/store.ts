import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { currentTraceparent, linkTrace } from '@arboleda/chassis/telemetry/trace.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { releaseGift, reserveGift } from '../purchase/gifts.ts';
import type { Purchase } from '@arboleda/contracts/purchase.ts';
import { PURCHASE_COLUMNS, purchaseOfRow, type PurchaseRow, purchaseValues } from '../purchase/row.ts';
import { receiptsAmong, recordReceipt, type WebhookReceipt } from '../settling.ts';
import type { Decision, Payment, PaymentState } from './payment.ts';
import { type Starting, UNPAID_WINDOW_MS } from './unpaid.ts';

export interface StoredPayment extends Payment {
  requestHash: string;
  createdAt: Date;
}

export type Outcome = { kind: 'duplicate' } | { kind: 'unknown' } | { kind: 'decided'; decision: Decision };

export interface PaymentStore {
  /** Reserves the place of a gift, before its intent is made. @throws Problem `too-many-gifts` */
  reserve(purchase: Purchase): Promise<void>;
  /** No intent was made for it. */
  release(purchase: Purchase): Promise<void>;
  /**
   * Stores a new payment in its reserved place.
   * @returns the payment that has the idempotency key: an earlier one when the key was used before
   * @throws Problem `idempotency-conflict` when the earlier payment's key has been cleared
   */
  start(
    purchase: Purchase,
    request: {
      intentId: string;
      idempotencyKey: string | undefined;
      hash: string;
      networkHash: string | undefined;
    },
  ): Promise<StoredPayment>;
  /**
   * Reads what decides whether a payment may start: the one that has the key, and when the unpaid payment of the network
   * started that takes the last place.
   */
  before(
    idempotencyKey: string | undefined,
    network: Starting,
  ): Promise<{ payment: StoredPayment | undefined; fullSince: Date | undefined }>;
  get(paymentId: string): Promise<StoredPayment | undefined>;
  /** Finds a payment, unless this webhook was processed before. */
  unlessTaken(paymentId: string, eventId: string): Promise<StoredPayment | 'taken' | undefined>;
  /**
   * Writes state, events and the webhook's receipt in one transaction. Decisions on one payment are
   * serialized.
   * @param known a recent copy: decided on without a lock, and again with one if the payment changed
   * meanwhile
   */
  change(
    paymentId: string | undefined,
    decide: (payment: Payment) => Decision,
    more?: { receipt?: WebhookReceipt | undefined; known?: StoredPayment | undefined },
  ): Promise<Outcome>;
  hasReceipt(eventId: string): Promise<boolean>;
  /** Records a webhook that has no effect. @returns false when it was recorded before */
  takeNote(receipt: WebhookReceipt): Promise<boolean>;
  /** Payments that are due for a check at Stripe, longest overdue first. */
  due(limit: number): Promise<StoredPayment[]>;
  postpone(payment: StoredPayment): Promise<void>;
  countByStatus(since: Date): Promise<Record<string, number>>;
}

const COLUMNS = `${PURCHASE_COLUMNS}, state, revision, request_hash, created_at, traceparent`;

export function paymentStore(
  sql: Sql,
  options: { clock: () => Date; reconcileAfterMs: number },
): PaymentStore {
  const { clock, reconcileAfterMs } = options;
  const one = async (condition: string, value: string, ask: Transaction['query'] = sql.prepared) =>
    readLinked((await ask<Row>(`select ${COLUMNS} from payments where ${condition}`, [value])).rows[0]);

  function writeOf(payment: StoredPayment, decision: Extract<Decision, { kind: 'changed' }>) {
    const revision = payment.revision + 1;
    const now = clock();
    const { paymentId } = payment.purchase;
    const isPaid = decision.state.status === 'succeeded' && payment.state.status !== 'succeeded';
    const isLookedUpLater = isPaid && !decision.charge;
    return {
      values: [
        paymentId,
        JSON.stringify(decision.state),
        revision,
        now,
        nextCheck(decision.state, payment.createdAt, now, reconcileAfterMs) ?? null,
        decision.charge ? JSON.stringify(decision.charge) : null,
        isLookedUpLater,
      ],
      sequence: revision,
      events: decision.events,
    };
  }

  async function write(tx: Transaction, payment: StoredPayment, decision: Decision): Promise<void> {
    if (decision.kind === 'ignored') return;
    const { values, sequence, events } = writeOf(payment, decision);
    await tx.query(UPDATE, values);
    await tx.publish(events, sequence);
  }

  /** @returns undefined when the payment has changed, or only the receipt is to be written */
  async function changeKnown(
    payment: StoredPayment,
    decide: (payment: Payment) => Decision,
    receipt: WebhookReceipt | undefined,
  ): Promise<Outcome | undefined> {
    const decision = decide(payment);
    if (decision.kind === 'ignored') return undefined;
    const { values, ...outbox } = writeOf(payment, decision);
    const isDone = await sql
      .write(
        receipt
          ? {
              steps: `written as (${UPDATE} returning id), received as (
                insert into stripe_events (id, type, payment_id, received_at) select $8, $9, id, $4 from written)`,
              values: [...values, receipt.eventId, receipt.type],
              ...outbox,
            }
          : { steps: `written as (${UPDATE} returning id)`, values, ...outbox },
      )
      .catch((error: { code?: string }) => {
        if (error.code !== UNIQUE_VIOLATION) throw error;
        return false;
      });
    return isDone ? { kind: 'decided', decision } : undefined;
  }

  return {
    reserve: (purchase) => reserveGift(sql, purchase, clock()),
    release: (purchase) => releaseGift(sql, purchase),
    async start(purchase, { intentId, idempotencyKey, hash, networkHash }) {
      const now = clock();
      const state: PaymentState = { status: 'open', intentId };
      const insert = (ask: Transaction['query']) =>
        ask<Row>(
          `insert into payments (${PURCHASE_COLUMNS}, state, reconcile_at, request_hash, idempotency_key, created_at,
           updated_at, traceparent, network_hash)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $18, $19, $20)
         on conflict do nothing
         returning ${COLUMNS}`,
          [
            ...purchaseValues(purchase),
            JSON.stringify(state),
            nextCheck(state, now, now, reconcileAfterMs),
            hash,
            idempotencyKey ?? null,
            now,
            currentTraceparent() ?? null,
            networkHash ?? null,
          ],
        );
      const { rows } = await (purchase.gift
        ? sql.transaction(async (tx) => {
            await releaseGift(tx, purchase);
            return insert(tx.query);
          })
        : insert(sql.prepared));
      const stored = read(rows[0]) ?? (idempotencyKey && (await one('idempotency_key = $1', idempotencyKey)));
      if (!stored) throw new Problem('idempotency-conflict');
      return stored;
    },
    async before(idempotencyKey, { networkHash, at, room }) {
      const { rows } = await sql.prepared<(Row | { id: null }) & { full_since: Date | null }>(BEFORE, [
        idempotencyKey ?? null,
        networkHash ?? null,
        at,
        new Date(at.getTime() - UNPAID_WINDOW_MS),
        networkHash === undefined ? 0 : Math.max(room - 1, 0),
      ]);
      const row = rows[0]!;
      return {
        payment: row.id === null ? undefined : readLinked(row),
        fullSince: row.full_since ?? undefined,
      };
    },
    get: (paymentId) => one('id = $1', paymentId),
    async unlessTaken(paymentId, eventId) {
      const { rows } = await sql.prepared<Row & { taken: boolean }>(
        `select ${COLUMNS}, exists (select from stripe_events where id = $2) as taken from payments where id = $1`,
        [paymentId, eventId],
      );
      return rows[0]?.taken ? 'taken' : readLinked(rows[0]);
    },
    change: async (paymentId, decide, { receipt, known } = {}) =>
      (known && (await changeKnown(known, decide, receipt))) ??
      sql.transaction(async (tx) => {
        const payment =
          paymentId === undefined ? undefined : await one('id = $1 for update', paymentId, tx.query);
        if (receipt && !(await recordReceipt(tx, receipt, clock(), payment?.purchase.paymentId)))
          return { kind: 'duplicate' };
        if (!payment) return { kind: 'unknown' };
        const decision = decide(payment);
        await write(tx, payment, decision);
        return { kind: 'decided', decision };
      }),
    async hasReceipt(eventId) {
      return (await receiptsAmong(sql, [eventId])).size === 1;
    },
    takeNote: (receipt) => recordReceipt({ query: sql.prepared }, receipt, clock()),
    async due(limit) {
      const { rows } = await sql.query<Row>(
        `select ${COLUMNS} from payments where reconcile_at <= $1 order by reconcile_at limit $2`,
        [clock(), limit],
      );
      return rows.map((row) => read(row)!);
    },
    async postpone({ purchase, state, createdAt }) {
      await sql.query('update payments set reconcile_at = $2 where id = $1 and reconcile_at is not null', [
        purchase.paymentId,
        nextCheck(state, createdAt, clock(), reconcileAfterMs) ?? null,
      ]);
    },
    async countByStatus(since) {
      const { rows } = await sql.query<{ status: string; n: number }>(
        'select status, count(*)::int as n from payments where created_at > $1 group by status',
        [since],
      );
      return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    },
  };
}

const UNIQUE_VIOLATION = '23505';

/** The status, too: release 1.0 keeps the hash of what is paid. */
const BEFORE = `
  select ${COLUMNS}, (
    select unpaid.created_at from payments as unpaid
    where unpaid.network_hash = $2 and unpaid.created_at <= $3 and unpaid.created_at > $4
      and unpaid.status not in ('succeeded', 'mismatched')
    order by unpaid.created_at desc offset $5 limit 1
  ) as full_since
  from (select) as always left join payments on idempotency_key = $1`;

/** Requires the row lock, or the revision that the decision was made on. */
const UPDATE = `update payments set state = $2::jsonb, revision = $3::int, updated_at = $4::timestamptz, reconcile_at = $5,
  network_hash = case when $2::jsonb ->> 'status' in ('succeeded', 'mismatched') then null else network_hash end,
  charge = coalesce($6, charge), charge_due_at = case when $7 then $4 else charge_due_at end
  where id = $1 and revision = $3::int - 1`;

interface Row extends PurchaseRow {
  state: Payment['state'];
  revision: number;
  request_hash: string;
  created_at: Date;
  traceparent: string | null;
}

const read = (row: Row | undefined): StoredPayment | undefined =>
  row && {
    purchase: purchaseOfRow(row),
    state: row.state,
    revision: row.revision,
    requestHash: row.request_hash,
    createdAt: row.created_at,
  };

/** Links what is done about a payment to the trace in which the buyer began it. */
function readLinked(row: Row | undefined): StoredPayment | undefined {
  linkTrace(row?.traceparent);
  return read(row);
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** Buyers do not return to an intent after this long. */
const GIVE_UP_AFTER_MS = 30 * DAY_MS;
const MAX_PAUSE_MS = DAY_MS / 4;

/**
 * When to check a payment at Stripe. The interval grows with its age, so abandoned payments cost little.
 * @returns undefined when no change is expected any more
 */
export function nextCheck(
  state: PaymentState,
  createdAt: Date,
  now: Date,
  afterMs: number,
): Date | undefined {
  const ageMs = now.getTime() - createdAt.getTime();
  if ((state.status !== 'open' && state.status !== 'processing') || ageMs > GIVE_UP_AFTER_MS)
    return undefined;
  const pauseMs = Math.min(Math.max(afterMs, ageMs / 4), MAX_PAUSE_MS);
  return new Date(now.getTime() + pauseMs);
}
