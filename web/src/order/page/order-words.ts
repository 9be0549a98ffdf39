import type { TFunction } from 'i18next';
import type { PublicOrder } from '../../api/order.ts';
import type { Formats } from '../../i18n/format.ts';
import { moneyStateOf } from '../money/money-state.ts';

type Words = TFunction<['order', 'common']>;

/** Small counts are words in a headline; larger ones are figures. */
const WRITTEN_OUT = ['2', '3', '4', '5', '6', '7', '8', '9', '10'] as const;

function countInWords(trees: number, t: Words, formats: Formats): string {
  const written = WRITTEN_OUT.find((count) => count === String(trees));
  return written ? t(`words.${written}`) : formats.number(trees);
}

export function headlineOf(order: PublicOrder, t: Words, formats: Formats): string {
  const standing = moneyStateOf(order);
  if (standing !== 'paid') return t(`headline.${standing}`);
  const options = {
    count: order.trees,
    words: countInWords(order.trees, t, formats),
    worker: order.assignedWorker?.name ?? t('someone'),
  };
  if (order.status === 'pending') return t('headline.pending', options);
  return order.status === 'assigned' ? t('headline.assigned', options) : t('headline.planted', options);
}

/** Current state and next step, in one or two sentences. */
export function nextOf(order: PublicOrder, t: Words, formats: Formats): string {
  const standing = moneyStateOf(order);
  if (standing !== 'paid') return t(`next.${standing}`, { name: order.customerName });
  if (order.status === 'pending') return t('next.pending', { name: order.customerName });
  if (order.status === 'assigned') return t('next.assigned', { count: order.trees });
  const worker = order.assignedWorker?.name ?? t('someone');
  const date = formats.day(order.plantingDate ?? order.completionDate ?? order.createdAt);
  return order.location
    ? t('next.planted', { worker, date, place: order.location })
    : t('next.plantedNowhere', { worker, date });
}

export const privateLink = (token: string): string => `${window.location.origin}/orders/${token}`;
