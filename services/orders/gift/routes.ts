import type { ChangeFeed } from '@arboleda/chassis/live/change-feed.ts';
import type { GiftTokens } from '@arboleda/chassis/order-token.ts';
import type { Handlers } from '@arboleda/chassis/http/handlers.ts';
import type { Person } from '@arboleda/chassis/http/identity.ts';
import { networkOf } from '@arboleda/chassis/http/network.ts';
import type { ordersGiftEndpoints } from '@arboleda/contracts/endpoints/orders/gifts.ts';
import { type Gift, MAX_GIFTS_TO_ADDRESS } from '@arboleda/contracts/gift.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import type { BuyerProof } from '../buyer-proof.ts';
import type { Order } from '../order/order.ts';
import type { ErasedAccounts } from '../order/erased-accounts.ts';
import type { Orders } from '../order/store.ts';
import type { GiftOrders } from './store.ts';
import type { GiftCards } from './card/document.ts';
import {
  decideClaim,
  decideDecline,
  decideGiftChange,
  decideRecipientErasure,
  decideSendAgain,
  decideThanks,
  giftOf,
  isAnotherDelivery,
  paidGift,
} from './gift.ts';
import type { OrderGift } from './order-gift.ts';
import { ownGiftView, receivedGiftView } from './received.ts';
import { buyerGiftView } from './views.ts';

interface Parts {
  store: Orders & GiftOrders;
  changes: ChangeFeed<Order>;
  buyerProof: BuyerProof;
  erasedAccounts: ErasedAccounts;
  giftCards: GiftCards;
  giftToken: GiftTokens;
  clock: () => Date;
  /** @throws Problem `not-found` */
  found(order: Order | undefined): Order;
  addressOf(person: Person): string | undefined;
}

export function giftRoutes(parts: Parts): Handlers<typeof ordersGiftEndpoints> {
  const { store, changes, buyerProof, erasedAccounts, giftCards, giftToken, clock, found, addressOf } = parts;
  const now = () => clock().toISOString();

  interface Proof {
    params: { token: string };
    body: { email: string };
    address: string;
  }
  /** An unapproved transfer's gift is its buyer's to change, too. */
  async function byPrivateLink({ params, body: { email }, address }: Proof): Promise<Order> {
    const order = found(await store.byToken(params.token));
    await buyerProof.require(order, { email, address, erased: 'gift-erased', isUnpaidToo: true });
    return order;
  }
  async function own({ params, person }: { params: { id: string }; person: Person }): Promise<Order> {
    const order = found(await store.get(params.id));
    if (order.customer.email.toLowerCase() !== addressOf(person)) throw new Problem('not-found');
    return order;
  }

  const answer = (order: Order) => {
    giftOf(order);
    return { gift: buyerGiftView(order) };
  };
  async function change(order: Order, wanted: Gift) {
    const decide = (current: Order | undefined) =>
      decideGiftChange(found(current), wanted, { at: now(), giftToken });
    if (!decide(order)) return answer(order);
    const { recipientEmail } = wanted;
    const write = () => store.change(order.id, decide);
    if (recipientEmail === null || !isAnotherDelivery(giftOf(order), wanted))
      return answer(found(await write()));
    const changed = await store.lockGiftsTo(recipientEmail, async () => {
      await requireRoom(order, recipientEmail, wanted.deliverOn);
      return write();
    });
    return answer(found(changed));
  }
  /** @throws Problem `too-many-gifts` */
  async function requireRoom(order: Order, recipientEmail: string, deliverOn: string): Promise<void> {
    const others = await store.giftsOnDay(recipientEmail, deliverOn, order.id);
    if (others < MAX_GIFTS_TO_ADDRESS) return;
    const fields = [{ path: 'gift.recipientEmail', type: 'too-many-gifts' as const }];
    throw new Problem('too-many-gifts', { fields });
  }
  async function sendAgain(order: Order) {
    const at = now();
    const changed = await store.change(order.id, (current) => decideSendAgain(found(current), at));
    return answer(found(changed));
  }
  const card = (order: Order) => giftCards.of(order, paidGift(order));

  async function byGiftLink(token: string): Promise<{ order: Order; gift: OrderGift }> {
    const order = found(await store.byGift(token));
    return { order, gift: giftOf(order) };
  }
  /** Decides while the link still leads to the gift: another address may have got another one. */
  async function decided(
    token: string,
    decide: (order: Order) => ReturnType<typeof decideClaim>,
  ): Promise<Order> {
    const { order } = await byGiftLink(token);
    const changed = await store.change(order.id, (current) => {
      if (found(current).gift?.token !== token) throw new Problem('not-found');
      return decide(current!);
    });
    return found(changed);
  }

  return {
    'POST /api/track/{token}/gift': async (call) => answer(await byPrivateLink(call)),
    'PUT /api/track/{token}/gift': async (call) => change(await byPrivateLink(call), call.body.gift),
    'POST /api/track/{token}/gift/send-again': async (call) => sendAgain(await byPrivateLink(call)),
    'POST /api/track/{token}/gift/card': async (call) => card(await byPrivateLink(call)),

    'PUT /api/customers/orders/{id}/gift': async (call) => change(await own(call), call.body.gift),
    'POST /api/customers/orders/{id}/gift/send-again': async (call) => sendAgain(await own(call)),
    'GET /api/customers/orders/{id}/gift/card': async (call) => card(await own(call)),

    async 'GET /api/gifts/{token}'({ params }) {
      const { order, gift } = await byGiftLink(params.token);
      if (gift.state === 'cancelled') throw new Problem('gift-cancelled');
      return receivedGiftView(order, gift);
    },

    async 'GET /api/gifts/{token}/events'({ params: { token }, address, signal }) {
      await byGiftLink(token);
      return changes.listen({
        who: `at ${networkOf(address)}`,
        signal,
        messageOf: ({ gift, progress, updatedAt }) =>
          gift?.token === token ? { status: progress.status, updatedAt } : undefined,
      });
    },

    async 'POST /api/gifts/{token}/claim'({ params, person, language }) {
      const email = addressOf(person);
      if (email === undefined) throw new Problem('email-not-verified');
      const { id: accountId, name } = person;
      const order = await decided(params.token, (current) =>
        decideClaim(current, { accountId, name, email, language, at: now() }),
      );
      // The account may have been erased in the meantime.
      const erasure = await erasedAccounts.ofClaimant(accountId);
      if (!erasure) return { gift: ownGiftView(order) };
      await store.change(order.id, (current) => decideRecipientErasure(current, erasure));
      throw new Problem('gift-erased');
    },

    async 'POST /api/gifts/{token}/thanks'({ params, body: { text } }) {
      const order = await decided(params.token, (current) => decideThanks(current, { text, at: now() }));
      return { gift: receivedGiftView(order, order.gift!) };
    },

    async 'POST /api/gifts/{token}/decline'({ params }) {
      await decided(params.token, (current) => decideDecline(current, now()));
      return { declined: true };
    },

    async 'GET /api/customers/gifts'({ person }) {
      return { gifts: (await store.giftsClaimedBy(person.id)).map(ownGiftView) };
    },
  };
}
