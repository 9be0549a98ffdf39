import { isAway } from '@arboleda/chassis/away.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import { networkOf } from '@arboleda/chassis/http/network.ts';
import type { transfersEndpoints } from '@arboleda/contracts/endpoints/transfers.ts';
import type { Actor } from '@arboleda/contracts/fields.ts';
import { shortId } from '@arboleda/contracts/order.ts';
import { Problem, type ProblemType } from '@arboleda/contracts/problems.ts';
import { visitorOf } from '@arboleda/contracts/visitor.ts';
import { readAnnouncement } from './announcement.ts';
import { decodeCursor, encodeCursor } from './cursor.ts';
import type { EvidenceObjects } from './evidence.ts';
import type { TransferLists } from './list.ts';
import type { TransferMetrics } from './metrics.ts';
import { makeReference } from './reference.ts';
import type { TransferStore } from './store.ts';
import type { submitter } from './submit.ts';
import { approve, type ApprovalRule, reject, type Transfer, type TransferDecision } from './transfer.ts';
import { transferOrder } from './views.ts';

/** More in a row that were all suggested before do not happen. */
const SUGGESTIONS = 20;

export function transferRoutes(parts: {
  store: TransferStore;
  lists: TransferLists;
  evidence: EvidenceObjects;
  submit: ReturnType<typeof submitter>;
  rule: ApprovalRule;
  metrics: TransferMetrics;
  clock: () => Date;
}): Handlers<typeof transfersEndpoints> {
  const { store, lists, evidence, submit, rule, metrics, clock } = parts;

  async function ordersOf(transfers: readonly Transfer[]) {
    const resemblances = await lists.resemblances(transfers);
    return transfers.map((one) => transferOrder(one, resemblances.get(one.purchase.paymentId)!, rule));
  }

  /** @throws Problem `not-found`, and what `decide` refuses with */
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

/** What broke on our side is said in the product spec's words; refusals and engines that are away speak for themselves. */
const ours = (error: unknown, type: ProblemType): unknown =>
  error instanceof Problem || isAway(error) ? error : new Problem(type, { cause: error });
