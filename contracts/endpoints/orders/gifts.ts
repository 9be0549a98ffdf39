import { z } from 'zod';
import { endpoint } from '../../endpoint.ts';
import { email, gift, givenGift, givenThanks, instant, language, orderId, orderToken } from '../../fields.ts';
import { orderGift, publicOrder, receivedGrowth } from './views.ts';

const giftToken = orderToken;
const own = z.object({ id: orderId });
const byLink = z.object({ token: orderToken });
/** The private link gets shared, so buyers also give the email address of the order. */
const proof = z.object({ email });
const answer = z.object({ gift: orderGift });
/** Problems for a visitor with the link of a gift. */
const LINK_PROBLEMS = ['not-found', 'gift-cancelled', 'gift-erased'] as const;
const BUYER_PROBLEMS = ['not-found', 'gift-erased', 'too-many-requests'] as const;
const CHANGE_PROBLEMS = [
  'not-found',
  'gift-erased',
  'gift-sent',
  'gift-claimed',
  'gift-cancelled',
  'too-many-gifts',
] as const;
const BUYER_LIMIT = { max: 30, windowSeconds: 600 };

/** The recipient sees the trees and their history: no amounts, no address, and only the first name of the buyer. */
export const receivedGift = publicOrder
  .pick({
    shortId: true,
    status: true,
    trees: true,
    assignedDate: true,
    plantingDate: true,
    photoDate: true,
    completionDate: true,
    assignedWorker: true,
    location: true,
    coordinates: true,
    photos: true,
    certificate: true,
    timeline: true,
    withdrawn: true,
  })
  .extend({
    /** For buying growth updates; only for the account that has the gift. */
    _id: orderId.optional(),
    token: giftToken,
    growth: z.array(receivedGrowth).optional(),
    /** First name of the buyer; absent when it was erased. */
    from: z.string().optional(),
    recipientName: z.string(),
    message: z.string(),
    card: gift.shape.card,
    language,
    /** Absent until it is in an account. */
    claimedAt: instant.optional(),
    /** Once. */
    thankedAt: instant.optional(),
    /** The transfer of the buyer is not approved yet. */
    unpaid: z.literal(true).optional(),
    /** Refunded in full after it was given. Trees that were planted stay. */
    refunded: z.literal(true).optional(),
  });

export const ordersGiftEndpoints = {
  // The buyer, by the private link of the order.
  'POST /api/track/{token}/gift': endpoint({
    service: 'orders',
    summary: 'The gift of an order as its buyer wrote it',
    access: 'public',
    params: byLink,
    body: proof,
    response: answer,
    problems: BUYER_PROBLEMS,
    limit: BUYER_LIMIT,
  }),
  'PUT /api/track/{token}/gift': endpoint({
    service: 'orders',
    summary:
      'Changes a gift before it is sent, or the address after it bounced. The same gift changes nothing',
    access: 'public',
    params: byLink,
    body: proof.extend({ gift: givenGift }),
    response: answer,
    problems: [...CHANGE_PROBLEMS, 'too-many-requests'],
    limit: BUYER_LIMIT,
  }),
  'POST /api/track/{token}/gift/send-again': endpoint({
    service: 'orders',
    summary: 'Sends a delivered gift again, once a day',
    access: 'public',
    params: byLink,
    body: proof,
    response: answer,
    problems: [...BUYER_PROBLEMS, 'gift-not-sent', 'gift-sent-today', 'gift-claimed', 'gift-cancelled'],
    limit: BUYER_LIMIT,
  }),
  'POST /api/track/{token}/gift/card': endpoint({
    service: 'orders',
    summary: 'The card as PDF, to hand over: message, drawing, link and QR code of the gift',
    access: 'public',
    params: byLink,
    body: proof,
    binary: 'application/pdf',
    problems: [...BUYER_PROBLEMS, 'gift-cancelled', 'order-unpaid'],
    limit: BUYER_LIMIT,
  }),
  // The buyer, logged in.
  'PUT /api/customers/orders/{id}/gift': endpoint({
    service: 'orders',
    summary: 'The same for an own order',
    access: ['customer'],
    params: own,
    body: z.object({ gift: givenGift }),
    response: answer,
    problems: CHANGE_PROBLEMS,
    limit: BUYER_LIMIT,
  }),
  'POST /api/customers/orders/{id}/gift/send-again': endpoint({
    service: 'orders',
    summary: 'Sends the delivered gift of an own order again, once a day',
    access: ['customer'],
    params: own,
    response: answer,
    problems: [
      'not-found',
      'gift-erased',
      'gift-not-sent',
      'gift-sent-today',
      'gift-claimed',
      'gift-cancelled',
    ],
    limit: BUYER_LIMIT,
  }),
  'GET /api/customers/orders/{id}/gift/card': endpoint({
    service: 'orders',
    summary: 'The card of an own order as PDF',
    access: ['customer'],
    params: own,
    binary: 'application/pdf',
    problems: ['not-found', 'gift-erased', 'gift-cancelled', 'order-unpaid'],
    limit: BUYER_LIMIT,
  }),
  // The recipient.
  'GET /api/gifts/{token}': endpoint({
    service: 'orders',
    summary: 'A gift by its own link, which is not the private link of the order',
    access: 'public',
    params: z.object({ token: giftToken }),
    response: receivedGift,
    problems: LINK_PROBLEMS,
    limit: { max: 120, windowSeconds: 60 },
  }),
  'GET /api/gifts/{token}/events': endpoint({
    service: 'orders',
    summary: 'Changes of the trees of a gift, as server-sent events',
    access: 'public',
    params: z.object({ token: giftToken }),
    stream: z.object({ status: publicOrder.shape.status, updatedAt: instant }),
    problems: ['not-found'],
    limit: { max: 60, windowSeconds: 60 },
  }),
  'POST /api/gifts/{token}/claim': endpoint({
    service: 'orders',
    summary: 'Takes a gift into one’s account, once; the same account may repeat it',
    access: ['customer'],
    params: z.object({ token: giftToken }),
    response: z.object({ gift: receivedGift }),
    problems: [...LINK_PROBLEMS, 'gift-claimed', 'order-unpaid', 'email-not-verified'],
    limit: BUYER_LIMIT,
  }),
  'POST /api/gifts/{token}/thanks': endpoint({
    service: 'orders',
    summary: 'One short text to the buyer, once',
    access: 'public',
    params: z.object({ token: giftToken }),
    body: z.object({ text: givenThanks }),
    response: z.object({ gift: receivedGift }),
    problems: [...LINK_PROBLEMS, 'gift-thanked', 'order-unpaid'],
    limit: BUYER_LIMIT,
  }),
  'POST /api/gifts/{token}/decline': endpoint({
    service: 'orders',
    summary: 'No more gifts by email to the address of this one, for good. The trees stay',
    access: 'public',
    params: z.object({ token: giftToken }),
    response: z.object({ declined: z.literal(true) }),
    problems: ['not-found', 'gift-erased', 'order-unpaid'],
    limit: BUYER_LIMIT,
  }),
  'GET /api/customers/gifts': endpoint({
    service: 'orders',
    summary: 'Gifts taken into one’s account, newest first; at most a hundred',
    access: ['customer'],
    response: z.object({ gifts: z.array(receivedGift) }),
  }),
};
