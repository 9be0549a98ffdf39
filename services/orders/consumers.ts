import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { GiftTokens, OrderTokens } from '@arboleda/chassis/order-token.ts';
import type { Change } from '@arboleda/chassis/records.ts';
import type { AuditEntry } from '@arboleda/contracts/audit-entry.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import type { Customer } from '@arboleda/contracts/fields.ts';
import type { Gift } from '@arboleda/contracts/gift.ts';
import { decidePayment, decideRejection, decideSubmission } from './order/creation.ts';
import {
  decideGrowthEnd,
  decideGrowthPurchase,
  decideGrowthSchedule,
  decideGrowthStatus,
  decideGrowthVisit,
} from './growth/growth.ts';
import { decideLateStep } from './order/late-step.ts';
import { decideDispute, decideRefund, decideRefundFailure, decideRefundStatus } from './money/money.ts';
import { decideAddress, decideErasure } from './order/person.ts';
import { decidePhoto, decideVisibility } from './order/photos.ts';
import { decideReturnSettled, decideReturnSuspected } from './money/returns.ts';
import { decideStep, type FieldStep } from './order/step.ts';
import { decideBounce, decideDelivery, decideRecipientErasure } from './gift/gift.ts';
import { FIRST_LINK } from './gift/order-gift.ts';
import type { ErasedAccounts, Erasure } from './order/erased-accounts.ts';
import { type Position, positionOf } from './list/listing.ts';
import type { Order } from './order/order.ts';
import type { ReceiptNumbers } from './documents/numbers.ts';
import type { OrderStore } from './store.ts';

const AT_ONCE = 100;

/**
 * Events that orders consumes. Each event's effect and its id are one write, so a second delivery changes
 * nothing.
 */
export function consumers(
  orders: Pick<OrderStore, 'change' | 'ofCustomer' | 'giftsClaimedBy' | 'giftsTo'>,
  erasedAccounts: ErasedAccounts,
  { orderToken, giftToken }: { orderToken: OrderTokens; giftToken: GiftTokens },
  receiptNumbers: ReceiptNumbers,
  recordAudit: (eventId: string, entry: AuditEntry) => Promise<void>,
): EventHandlers {
  type Decide<Data> = (current: Order | undefined, data: Data) => Change<Order> | undefined;

  const on =
    <Data extends { orderId: string }>(decide: Decide<Data>, isNew: (data: Data) => boolean = () => false) =>
    async ({ id, data }: { id: string; data: Data }) => {
      await orders.change(data.orderId, (current) => decide(current, data), {
        eventId: id,
        isNew: isNew(data),
      });
    };
  const onWhole =
    <Event extends { data: { orderId: string } }>(decide: Decide<Event>) =>
    async (event: Event & { id: string }) => {
      await orders.change(event.data.orderId, (current) => decide(current, event), { eventId: event.id });
    };
  const step = onWhole<FieldStep>(decideStep);

  /** Changes all orders of an address, each once. */
  async function ofAddress(email: string, change: (orderId: string) => Promise<unknown>): Promise<void> {
    let after: Position | undefined;
    for (;;) {
      const some = await orders.ofCustomer(email.toLowerCase(), { after, limit: AT_ONCE });
      for (const { id } of some) await change(id);
      if (some.length < AT_ONCE) return;
      after = positionOf(some.at(-1)!, 'newest');
    }
  }

  const erasing =
    (email: string, { accountId, at }: Erasure) =>
    (order: Order | undefined) =>
      decideErasure(order, { email, by: { role: 'customer', id: accountId }, at });
  const erase = (erasure: Erasure, email: string) =>
    ofAddress(email, (id) => orders.change(id, erasing(email, erasure)));

  const eraseRecipient = (orderId: string, erasure: Erasure, email?: string) =>
    orders.change(orderId, (order) => decideRecipientErasure(order, { ...erasure, email }));

  async function eraseGifts(erasure: Erasure): Promise<void> {
    for (;;) {
      const some = await orders.giftsClaimedBy(erasure.accountId);
      for (const { id } of some) await eraseRecipient(id, erasure);
      if (some.length === 0) return;
    }
  }

  /** Creates an order. Its buyer or recipient may have been erased while the event was on its way. */
  const onPurchase =
    <Data extends { orderId: string; customer: Customer; gift?: Gift | undefined }, More extends object>(
      decide: Decide<Data & { orderToken: string } & More>,
      isNew: (data: Data) => boolean,
      more: (data: Data) => Promise<More>,
    ) =>
    async (event: { id: string; data: Data }) => {
      const { orderId, customer, gift } = event.data;
      const data = {
        ...event.data,
        orderToken: orderToken(orderId),
        ...(gift && { giftToken: giftToken(orderId, FIRST_LINK) }),
        ...(await more(event.data)),
      };
      await on<typeof data>(decide, isNew)({ ...event, data });
      const erasure = await erasedAccounts.ofAddress(customer.email);
      if (erasure) await orders.change(orderId, erasing(customer.email, erasure));
      const email = gift?.recipientEmail ?? undefined;
      const recipient = email === undefined ? undefined : await erasedAccounts.ofAddress(email);
      if (recipient) await eraseRecipient(orderId, recipient, email);
    };

  return {
    'payment.submitted': onPurchase<EventData<'payment.submitted'>, object>(
      decideSubmission,
      () => true,
      async () => ({}),
    ),
    // The order of a transfer exists since its submission.
    'payment.succeeded': onPurchase<EventData<'payment.succeeded'>, { receiptNumber: string }>(
      decidePayment,
      ({ method }) => method.kind === 'card',
      async ({ orderId, paidAt }) => ({ receiptNumber: await receiptNumbers.of(orderId, paidAt) }),
    ),
    'payment.rejected': on(decideRejection),
    'payment.refunded': on(decideRefund),
    'payment.refund_failed': on(decideRefundFailure),
    'payment.refund_status_changed': on(decideRefundStatus),
    'payment.disputed': on(decideDispute),
    'payment.return_suspected': on(decideReturnSuspected),
    'payment.return_settled': on(decideReturnSettled),

    'order.assigned': step,
    'order.planted': step,
    'order.completed': step,
    'order.late_step': on(decideLateStep),

    'photo.uploaded': on(decidePhoto),
    'photo.hidden': onWhole(decideVisibility),
    'photo.restored': onWhole(decideVisibility),

    'photo_package.purchased': on(decideGrowthPurchase),
    'photo_package.status_changed': on(decideGrowthStatus),
    'photo_package.completed': on(decideGrowthEnd),
    'growth_visit.scheduled': on(decideGrowthSchedule),
    'growth_visit.completed': on(decideGrowthVisit),

    'gift.delivered': on(decideDelivery),
    'gift.bounced': on(decideBounce),

    'audit.recorded': ({ id, data: { entry } }) => recordAudit(id, entry),

    /** Orders of an unverified address may belong to somebody else. */
    async 'customer.erased'({ data: { accountId, email, ordersToo, at } }) {
      await erasedAccounts.rememberClaimant({ accountId, at });
      await eraseGifts({ accountId, at });
      if (!ordersToo) return;
      await erasedAccounts.remember({ accountId, at }, email);
      await erase({ accountId, at }, email);
      for (const { id } of await orders.giftsTo(email.toLowerCase()))
        await eraseRecipient(id, { accountId, at }, email);
    },
    /** A later erasure may have been handled already, or concurrently. */
    async 'email.changed'({ data }: { data: EventData<'email.changed'> }) {
      const { accountId, role, name, from, to, fromVerified, at } = data;
      if (role !== 'customer' || !fromVerified || from.toLowerCase() === to.toLowerCase()) return;
      // Until the change, the orders were theirs.
      if (await erasedAccounts.ofAccount(accountId)) return erase({ accountId, at }, from);
      const by = { role, id: accountId, name } as const;
      await ofAddress(from, (id) => orders.change(id, (order) => decideAddress(order, { from, to, by, at })));
      const meanwhile = await erasedAccounts.ofAccount(accountId);
      if (meanwhile) await erase(meanwhile, to);
    },
  };
}
