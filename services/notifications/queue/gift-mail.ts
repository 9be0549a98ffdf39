import type { Job } from '@arboleda/chassis/ports/jobs.ts';
import type { Sql, Transaction } from '@arboleda/chassis/ports/sql.ts';
import { isErased } from '@arboleda/contracts/order.ts';
import { type AddressHash, type GiftCopy, giftOfMail, gifts, knownAddress } from '../copies/gifts.ts';
import { requireOrder } from '../copies/orders.ts';
import { queueMail } from './mail-store.ts';

export const GIFT_JOB = 'deliver-gift';

/** One job for each revision: a waiting job with the same key would keep its time. */
export const giftJob = (
  { orderId, revision }: Pick<GiftCopy, 'orderId' | 'revision'>,
  runAt: Date | string,
): Job => ({
  name: GIFT_JOB,
  payload: { orderId },
  key: `${orderId}:${revision}`,
  runAt: new Date(runAt).toISOString(),
});

/**
 * Delivers an order's gift when its moment has come: queues its email, or says that the buyer may hand it over. A job of
 * an earlier revision, or a second one, finds nothing to do.
 */
export async function deliverGift(
  sql: Sql,
  orderId: string,
  { now, addressHash }: { now: Date; addressHash: AddressHash },
): Promise<void> {
  await sql.transaction(async (tx) => {
    const gift = await gifts.lock(tx, orderId);
    if (gift?.state !== 'waiting') return;
    // The clocks of the job queue and of this process may differ.
    if (gift.deliverAt > now) return tx.enqueue([giftJob(gift, gift.deliverAt)]);
    const { eventId, recipientEmail: address, recipientName: name, language, revision } = gift;
    if (address === null) {
      await gifts.put(tx, { ...gift, state: 'delivered', message: null });
      return tx.publish([{ type: 'gift.delivered', data: { orderId, revision, at: now.toISOString() } }]);
    }
    const { declinedAt } = await knownAddress(tx, address, addressHash);
    if (declinedAt) return refuseGift(tx, gift, now);
    const { from, message, card, trees, token: giftToken } = gift;
    const facts = { orderId, giftToken, trees, card, message: message ?? '', ...(from !== null && { from }) };
    const to = { address, name: name ?? '', language };
    const mailId = await queueMail(tx, { eventId, kind: 'gift', to, facts });
    // The email has the message now.
    await gifts.put(tx, { ...gift, state: 'queued', mailId, message: null });
  });
}

/** The address wants no gifts: its buyer may hand the card over. */
export async function refuseGift(tx: Transaction, gift: GiftCopy, now: Date): Promise<void> {
  await gifts.put(tx, { ...gift, state: 'refused', message: null });
  await reportFailure(tx, gift, 'refused', now);
}

/** The mail server accepted the email of a gift. */
export async function giftSent(tx: Transaction, mailId: string, now: Date): Promise<void> {
  const gift = await giftOfMail(tx, mailId, ['queued']);
  if (!gift) return;
  await gifts.put(tx, { ...gift, state: 'delivered' });
  const { orderId, revision } = gift;
  const at = now.toISOString();
  await tx.publish([{ type: 'gift.delivered', data: { orderId, revision, at } }]);
  await queueBuyerMail(tx, gift, 'gift-sent', { deliveredAt: at });
}

/** The email of a gift was refused or came back, which no longer matters once it is claimed. */
export async function giftBounced(tx: Transaction, mailId: string, now: Date): Promise<void> {
  const gift = await giftOfMail(tx, mailId, ['queued', 'delivered']);
  if (!gift) return;
  await gifts.put(tx, { ...gift, state: 'bounced' });
  if (!gift.claim) await reportFailure(tx, gift, 'bounced', now);
}

async function reportFailure(tx: Transaction, gift: GiftCopy, reason: 'bounced' | 'refused', now: Date) {
  const { orderId, revision } = gift;
  await tx.publish([{ type: 'gift.bounced', data: { orderId, revision, reason, at: now.toISOString() } }]);
  await queueBuyerMail(tx, gift, `gift-${reason}`, {});
}

async function queueBuyerMail(
  tx: Transaction,
  { orderId, eventId, recipientName, recipientEmail }: GiftCopy,
  kind: 'gift-sent' | 'gift-bounced' | 'gift-refused',
  more: { deliveredAt?: string },
) {
  const { to, facts } = await requireOrder(tx, orderId);
  if (isErased(to.address)) return;
  const gift =
    recipientName === null ? undefined : { recipientName, recipientEmail: recipientEmail ?? undefined };
  await queueMail(tx, { eventId, kind, to, facts: { ...facts, ...more, ...(gift && { gift }) } } as never);
}
