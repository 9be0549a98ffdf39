import { GIFT_HOUR } from '@arboleda/contracts/gift.ts';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import { moneyStateOf } from '../money/money-state.ts';
import type { GivenOrder } from './gifts.ts';

type Words = (order: GivenOrder, gift: NonNullable<GivenOrder['gift']>) => string;

/** Where a gift is, in a sentence for its buyer. */
export function useGiftWords(): Words {
  const { t } = useTranslation('gift');
  const formats = useFormats();
  return (order, gift) => {
    const { state, byHand, recipientName: name, claimedAt, sentAt } = gift;
    const day = formats.calendarDay(gift.deliverOn);
    const money = moneyStateOf(order);
    if (gift.erased) return t('state.erased');
    if (state === 'cancelled') return t('state.cancelled');
    if (claimedAt) return t('state.claimed', { name, day: formats.day(claimedAt) });
    if (state === 'bounced') return t('state.bounced', { name });
    if (state === 'refused') return t('state.refused', { name });
    if (money === 'rejected') return t('state.rejected');
    if (state === 'sent')
      return byHand
        ? t('state.handed', { name })
        : t('state.sent', { name, day: formats.day(sentAt ?? gift.deliverOn) });
    if (money === 'to-verify') return t(byHand ? 'state.unpaidByHand' : 'state.unpaid', { name, day });
    if (byHand) return t('state.byHand', { name, day });
    const time = formats.hour(GIFT_HOUR);
    return t('state.waiting', { name, day, time, zone: formats.zone(gift.timeZone) });
  };
}
