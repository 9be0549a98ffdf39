import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { Transaction } from '@arboleda/chassis/ports/sql.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { isAccountErased } from '../copies/erasure.ts';
import {
  cancelGift,
  declineGifts,
  type GiftCopy,
  gifts,
  keepGift,
  knownAddress,
  requireGift,
  undeliveredTo,
} from '../copies/gifts.ts';
import { requireOrder } from '../copies/orders.ts';
import { giftJob, refuseGift } from '../queue/gift-mail.ts';
import { dropUnsent, dropUntried } from '../queue/mail-store.ts';
import { type ConsumerParts, queueDonorMail } from './parts.ts';

type Scheduled = EventData<'gift.scheduled'>;

/** Gifts: their delivery, and emails to their buyers about it. */
export function giftConsumers({ sql, clock, giftToken, addressHash }: ConsumerParts): EventHandlers {
  return {
    'gift.scheduled': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const before = await gifts.lock(tx, data.orderId);
        if (before && before.revision >= data.revision) return;
        const token = giftToken(data.orderId, data.link);
        if (before && (await isUnderWay(tx, before, data))) {
          await keepGift(tx, withoutMessage(data), { eventId, state: before.state, token });
          return;
        }
        await keepGift(tx, data, { eventId, state: 'waiting', token });
        const address = data.gift.recipientEmail;
        const known = address === null ? undefined : await knownAddress(tx, address, addressHash);
        if (known?.erasedAt && known.erasedAt >= new Date(data.addressedAt ?? data.at)) {
          return cancelGift(tx, data);
        }
        if (known?.declinedAt) return refuseGift(tx, await requireGift(tx, data.orderId), clock());
        await tx.enqueue([giftJob(data, data.deliverAt)]);
      });
    },

    'gift.cancelled': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const before = await gifts.lock(tx, data.orderId);
        if (before && before.revision >= data.revision) return;
        if (before?.mailId) await dropUnsent(tx, before.mailId, 'cancelled');
        await cancelGift(tx, data);
      });
    },

    'gift.claimed': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        if (await isAccountErased(tx, data.accountId)) return;
        const gift = await requireGift(tx, data.orderId);
        const order = await requireOrder(tx, data.orderId);
        const { accountId, email: address, name, language, at } = data;
        await gifts.put(tx, { ...gift, claim: { accountId, address, name, language, at: new Date(at) } });
        const facts = { ...order.facts, claimedAt: data.at, ...ofGift(gift) };
        await queueDonorMail(tx, order, { eventId, kind: 'gift-claimed', facts });
      });
    },

    'gift.thanked': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const { recipientName } = await requireGift(tx, data.orderId);
        const order = await requireOrder(tx, data.orderId);
        // Erased in the meantime.
        if (recipientName === null) return;
        const gift = { recipientName: data.from, thanks: data.text };
        await queueDonorMail(tx, order, { eventId, kind: 'gift-thanks', facts: { ...order.facts, gift } });
      });
    },

    'gift.declined': async ({ id: eventId, data }) => {
      await sql.consume(eventId, async (tx) => {
        const { recipientEmail: address } = await requireGift(tx, data.orderId);
        if (address === null) return;
        await declineGifts(tx, address, addressHash, data.at);
        for (const gift of await undeliveredTo(tx, address)) {
          if (gift.mailId) await dropUnsent(tx, gift.mailId, 'declined');
          await refuseGift(tx, gift, clock());
        }
      });
    },
  };
}

/**
 * Whether a gift was delivered to this address already, or is about to be: another day or text then comes too late. An
 * email that was not tried yet is cancelled instead.
 */
async function isUnderWay(tx: Transaction, before: GiftCopy, { gift, again }: Scheduled): Promise<boolean> {
  const isSame = before.recipientEmail === gift.recipientEmail;
  if (before.state === 'queued') {
    if (!isSame) await dropUnsent(tx, before.mailId!, 'changed');
    return isSame && !again && !(await dropUntried(tx, before.mailId!, 'changed'));
  }
  return before.state === 'delivered' && isSame && !again;
}

const withoutMessage = (data: Scheduled): Scheduled => ({ ...data, gift: { ...data.gift, message: '' } });

const ofGift = ({ recipientName }: GiftCopy) => (recipientName === null ? {} : { gift: { recipientName } });
