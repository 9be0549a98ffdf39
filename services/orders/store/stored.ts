import { folded } from '@arboleda/contracts/search.ts';
import { figuresOf, type KeptFigures } from '../figures/kept.ts';
import { isPaid, type Order } from '../order.ts';
import { wordsOf } from './words.ts';

/** Enough to tell names apart in a list, and short enough for a cursor. */
const NAME_KEY_LENGTH = 40;

/** An order as it is kept: with what it is found, listed and sorted by. */
export interface StoredOrder extends Order {
  /** The customer's address in lower case, by which an account finds its orders. */
  emailKey: string;
  nameKey: string;
  words: readonly string[];
  /** There while its money is not: kept out of lists and figures. */
  unpaid?: true;
  figures: KeptFigures;
}

/** The order that is kept. */
export function fromStored(kept: StoredOrder): Order {
  const {
    emailKey: _email,
    nameKey: _name,
    words: _words,
    unpaid: _unpaid,
    figures: _figures,
    ...order
  } = kept;
  return order;
}

/** What every change brings along, whatever it is about. @param at now, ISO */
export function toStored(before: Order | undefined, after: Order, at: string): StoredOrder {
  const isEdited = before !== undefined && editable(before) !== editable(after);
  return {
    ...after,
    version: before ? before.version + Number(isEdited) : 1,
    updatedAt: at,
    emailKey: after.customer.email.toLowerCase(),
    nameKey: nameKeyOf(after),
    words: wordsOf(after),
    figures: figuresOf(after),
    ...(!isPaid(after) && { unpaid: true }),
  };
}

export const nameKeyOf = ({ customer }: Order): string =>
  [...folded(customer.name)].slice(0, NAME_KEY_LENGTH).join('');

/** Everything that an admin may edit, to be compared. */
const editable = ({ trees, amountMinor, currency, customer, location, coordinates, notes }: Order): string =>
  JSON.stringify([
    ...[trees, amountMinor, currency, customer.name, customer.email, location, notes],
    ...[coordinates?.latitude, coordinates?.longitude],
  ]);
