import { dayOf } from '@arboleda/contracts/time-zone.ts';
import { isPaid, isWithdrawn, type Order, shownPhotos } from '../order.ts';

/**
 * Where an order stands in figures: its money is there (`paid`), was announced and not found yet (`awaiting`), was not
 * found (`rejected`), or was given back before anything was planted (`withdrawn`).
 */
export type Standing = 'paid' | 'awaiting' | 'rejected' | 'withdrawn';

/** What figures are counted by; kept beside an order, so that counting it reads nothing else. */
export interface KeptFigures {
  standing: Standing;
  /** The organisation's day on which it was made: "2026-11-21". */
  day: string;
  /** The same with its currency, as amounts of different ones are not summed up: "2026-11-21 COP". */
  dayCurrency: string;
  /** At least one of its photos can be seen. */
  isPhotographed: boolean;
}

export function figuresOf(order: Order): KeptFigures {
  const day = dayOf(order.createdAt);
  return {
    standing: standingOf(order),
    day,
    dayCurrency: `${day} ${order.currency}`,
    isPhotographed: shownPhotos(order).length > 0,
  };
}

export function standingOf(order: Order): Standing {
  if (!isPaid(order)) return order.manualPayment?.verificationStatus === 'rejected' ? 'rejected' : 'awaiting';
  return isWithdrawn(order) ? 'withdrawn' : 'paid';
}
