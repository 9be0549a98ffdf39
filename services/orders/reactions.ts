import type { Change, Records } from '@arboleda/chassis/records.ts';
import { certificateCode, CODE_BYTES } from '@arboleda/contracts/certificate-code.ts';
import { randomBytes } from 'node:crypto';
import { type NewCode, withCertificate } from './certificate/certificate.ts';
import { withGift } from './gift/gift.ts';
import type { Order } from './order/order.ts';
import { withAnswer } from './withdrawal/withdrawal.ts';

/** How a part of an order answers a change, in the same write. @returns the change with what follows from it */
type Reaction = (
  before: Order | undefined,
  change: Change<Order>,
  write: { at: string; newCode: NewCode },
) => Change<Order>;

/** In this order: each sees what those before it made of the change. */
const REACTIONS: readonly Reaction[] = [withCertificate, withAnswer, withGift];

export const newCertificateCode: NewCode = () => certificateCode(randomBytes(CODE_BYTES));

/** Records of orders whose every change is answered by the order's parts, and gets its time and version. */
export const withReactions = (
  { get, change }: Records<Order>,
  clock: () => Date,
  newCode = newCertificateCode,
): Records<Order> => ({
  get,
  change: (id, decide, options) =>
    change(
      id,
      (before) => {
        const decided = decide(before);
        if (!decided) return undefined;
        const at = clock().toISOString();
        const { record, ...rest } = REACTIONS.reduce(
          (changed, react) => react(before, changed, { at, newCode }),
          decided,
        );
        return { ...rest, record: stamped(before, record, at) };
      },
      options,
    ),
});

/** @param at now, ISO */
export function stamped(before: Order | undefined, after: Order, at: string): Order {
  const isEdited = before !== undefined && editable(before) !== editable(after);
  return { ...after, version: before ? before.version + Number(isEdited) : 1, updatedAt: at };
}

/** The editable fields, for comparison. */
const editable = ({ trees, amountMinor, currency, customer, location, coordinates, notes }: Order): string =>
  JSON.stringify([
    trees,
    amountMinor,
    currency,
    customer.name,
    customer.email,
    location,
    notes,
    coordinates?.latitude,
    coordinates?.longitude,
  ]);
