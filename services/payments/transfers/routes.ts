import { isConnectionError } from '@arboleda/chassis/connect-retry.ts';
import { cachedFor, counter, type Metrics, plainGauge } from '@arboleda/chassis/http/metrics.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import { networkOf } from '@arboleda/chassis/http/network.ts';
import type { ApiResponse } from '@arboleda/contracts/api.ts';
import type { transfersEndpoints } from '@arboleda/contracts/endpoints/transfers.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { type PaymentMethod, wireMethodOf } from '@arboleda/contracts/payment-method.ts';
import { Problem, type ProblemType } from '@arboleda/contracts/problems.ts';
import { visitorOf } from '@arboleda/contracts/visitor.ts';
import type { OnStatement, StatementMatching } from '../statements/matching.ts';
import type { EvidenceObjects } from './evidence.ts';
import { decodeCursor, encodeCursor, type TransferLists } from './list.ts';
import type { TransferStore } from './store.ts';
import { readAnnouncement, type submitter } from './submit.ts';
import {
  type Approval,
  type ApprovalRule,
  approve,
  type Flag,
  flagsOf,
  makeReference,
  referenceOrigin,
  needsSecondAdmin,
  reject,
  type Resemblance,
  type Transfer,
  type TransferDecision,
} from './transfer.ts';

/** Attempts to find an unused reference; more collisions in a row are practically impossible. */
const SUGGESTIONS = 20;

export function transferRoutes(parts: {
  store: TransferStore;
  lists: TransferLists;
  onStatements: StatementMatching['ofTransfers'];
  evidence: EvidenceObjects;
  submit: ReturnType<typeof submitter>;
  rule: ApprovalRule;
  metrics: TransferMetrics;
  clock: () => Date;
}): Handlers<typeof transfersEndpoints> {
  const { store, lists, onStatements, evidence, submit, rule, metrics, clock } = parts;

  async function ordersOf(transfers: readonly Transfer[]) {
    const [resemblances, statements] = await Promise.all([
      lists.resemblances(transfers),
      onStatements(transfers),
    ]);
    return transfers.map((one) =>
      transferOrder(one, {
        resemblance: resemblances.get(one.purchase.paymentId)!,
        statement: statements.get(one.purchase.orderId)!,
        rule,
      }),
    );
  }

  /** @throws Problem `not-found`, and what `decide` throws */
  async function decided(orderId: string, decide: (transfer: Transfer) => TransferDecision) {
    const outcome = await store.decide(orderId, decide);
    if (!outcome) throw new Problem('not-found');
    metrics.decided(outcome.decision);
    const [order] = await ordersOf([outcome.transfer]);
    return { success: true as const, order: order! };
  }

  return {
    async 'GET /api/manual-payments/reference'() {
      for (let attempt = 0; attempt < SUGGESTIONS; attempt++) {
        const referenceNumber = makeReference();
        if (await store.suggest(referenceNumber)) return { referenceNumber };
      }
      throw new Error('no reference is free');
    },

    async 'POST /api/manual-payments/create-order'({
      address,
      body,
      files,
      headers,
      idempotencyKey,
      language,
      signal,
    }) {
      const visitor = visitorOf(headers);
      const network = networkOf(address);
      const take = async () =>
        submit({
          announcement: readAnnouncement(body, files),
          idempotencyKey,
          language,
          visitor,
          network,
          signal,
        });
      const { transfer, isNew } = await take().catch((error: unknown) => {
        metrics.refused(error);
        throw ours(error, 'transfer-not-created');
      });
      metrics.submitted(isNew);
      const { purchase, reference } = transfer;
      return {
        success: true,
        orderId: purchase.orderId,
        orderToken: purchase.orderToken,
        shortId: shortId(purchase.orderId),
        referenceNumber: reference,
        amount: purchase.amountMinor,
        currency: purchase.currency,
      };
    },

    async 'GET /api/admin/manual-payments/pending-verification'({ query: { status, limit, cursor } }) {
      const after = cursor ? decodeCursor(cursor) : undefined;
      const { transfers, next, total, oldestAt } = await lists.page({ status, limit, after });
      return {
        orders: await ordersOf(transfers),
        nextCursor: next && encodeCursor(next),
        total,
        oldestAt,
      };
    },

    async 'GET /api/admin/manual-payments/evidence/{filename}'({ params }) {
      const stored = await evidence.find(params.filename);
      const found = stored && (await evidence.view(stored));
      if (!found) throw new Problem('not-found');
      return { contentType: 'image/jpeg', bytes: found.bytes, sizeBytes: found.info.sizeBytes };
    },

    async 'POST /api/admin/manual-payments/verify/{id}'({ params, body, person }) {
      const { amountReceived: amountReceivedMinor, note } = body;
      const by = actorOf(person);
      return decided(params.id, (transfer) =>
        approve(
          transfer,
          { by, at: clock().toISOString(), amountReceivedMinor, note: note || undefined },
          rule,
        ),
      ).catch((error: unknown) => {
        throw ours(error, 'transfer-not-verified');
      });
    },

    async 'POST /api/admin/manual-payments/reject/{id}'({ params, body, person }) {
      const by = actorOf(person);
      return decided(params.id, (transfer) =>
        reject(transfer, { by, at: clock().toISOString(), reason: body.reason }),
      ).catch((error: unknown) => {
        throw ours(error, 'transfer-not-rejected');
      });
    },
  };
}

const actorOf = ({ role, id, name }: Person): Actor => ({ role, id, name });

/** Reports faults of ours with the product spec's message. Refusals and connection errors have their own. */
const ours = (error: unknown, type: ProblemType): unknown =>
  error instanceof Problem || isConnectionError(error) ? error : new Problem(type, { cause: error });

type TransferOrder = ApiResponse<'POST /api/admin/manual-payments/verify/{id}'>['order'];

/** A transfer for admins, in the product spec's shape of an order. */
function transferOrder(
  transfer: Transfer,
  about: { resemblance: Resemblance; statement: OnStatement; rule: ApprovalRule },
): TransferOrder {
  const { resemblance, statement, rule } = about;
  const { purchase, bank, state, reference } = transfer;
  const method: PaymentMethod = { kind: 'transfer', bank };
  const { customer } = purchase;
  return {
    _id: purchase.orderId,
    shortId: shortId(purchase.orderId),
    ...(state.status !== 'approved' && { status: 'pending' as const }),
    trees: purchase.trees,
    packageType: purchase.packageType,
    amount: purchase.amountMinor,
    currency: purchase.currency,
    customerEmail: customer.email,
    customerName: customer.name,
    customerPhone: customer.phone,
    customerCountry: customer.country,
    createdAt: transfer.submittedAt,
    method,
    paymentMethod: wireMethodOf(method),
    manualPayment: {
      referenceNumber: reference,
      referenceOrigin: referenceOrigin(reference),
      verificationStatus: state.status,
      evidenceFiles: evidenceFiles(transfer),
      evidenceRemoved: transfer.evidenceRemovedAt !== undefined,
      flags: flagsOf(transfer, resemblance).map(flagView),
      needsSecondAdmin: needsSecondAdmin(transfer, rule),
      ...decisionView(transfer),
      statement,
    },
  };
}

const evidenceFiles = ({ evidence, evidenceRemovedAt }: Transfer) =>
  evidenceRemovedAt === undefined
    ? evidence.map(({ filename, originalName, sizeBytes }) => ({
        filename,
        originalName,
        fileSize: sizeBytes,
      }))
    : [];

function decisionView({ state }: Transfer) {
  switch (state.status) {
    case 'pending':
      return { firstApproval: approvalView(state.first) };
    case 'approved':
      return { firstApproval: approvalView(state.first), approval: approvalView(state.approval) };
    case 'rejected':
      return {
        firstApproval: approvalView(state.first),
        rejection: { by: state.by, at: state.at, reason: state.reason },
      };
  }
}

const approvalView = (approval: Approval | undefined) =>
  approval && {
    by: approval.by,
    at: approval.at,
    amountReceived: approval.amountReceivedMinor,
    note: approval.note,
  };

const flagView = ({ orders, ...flag }: Flag) => ({
  ...flag,
  ...(orders && {
    orders: orders.map(({ orderId, status }) => ({
      _id: orderId,
      shortId: shortId(orderId),
      verificationStatus: status,
    })),
  }),
});

interface TransferMetrics {
  submitted(isNew: boolean): void;
  refused(error: unknown): void;
  decided(decision: TransferDecision): void;
}

const COUNTED_EVERY_MS = 10_000;

export function transferMetrics(
  metrics: Metrics,
  store: Pick<TransferStore, 'waiting'>,
  clock: () => Date,
): TransferMetrics {
  const waiting = cachedFor(COUNTED_EVERY_MS, store.waiting);
  plainGauge(
    metrics,
    { name: 'transfers_pending', help: 'Bank transfers that wait for an admin' },
    async () => (await waiting()).count,
  );
  plainGauge(
    metrics,
    { name: 'transfers_oldest_seconds', help: 'For how long the first of them has waited; 0 when none does' },
    async () => {
      const { since } = await waiting();
      return since ? (clock().getTime() - since.getTime()) / 1000 : 0;
    },
  );
  const taken = counter(metrics, {
    name: 'transfers_total',
    help: 'Bank transfers by what happened to them: submitted, repeated, first_approved, approved, rejected',
    labels: ['event'],
  });
  const refusals = counter(metrics, {
    name: 'transfers_refused_total',
    help: 'Bank transfers that were not taken, by the problem',
    labels: ['type'],
  });
  return {
    submitted: (isNew) => taken.inc({ event: isNew ? 'submitted' : 'repeated' }),
    refused: (error) => refusals.inc({ type: error instanceof Problem ? error.type : 'internal' }),
    decided: (decision) => {
      if (decision.kind === 'unchanged') return;
      const { status } = decision.state;
      taken.inc({ event: status === 'pending' ? 'first_approved' : status });
    },
  };
}
