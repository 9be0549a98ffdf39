import { useTranslation } from 'react-i18next';
import { Facts } from '../../design/components/Facts.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { OrderDetails } from './orders.ts';
import styles from './OrderDialog.module.css';
import { Section } from './Section.tsx';

/** The recipient and the delivery of a gift. Only the buyer has its link. */
export function GiftSection({ order: { gift } }: { order: Pick<OrderDetails, 'gift'> }) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  if (!gift) return null;
  const { state, byHand, sentAt, claimedAt, thanks } = gift;
  const rows = [
    { label: t('gift.state'), value: t(`gift.states.${state}`) },
    { label: t('gift.recipient'), value: gift.recipientName },
    { label: t('gift.address'), value: byHand ? t('gift.byHand') : gift.recipientEmail },
    {
      label: t('gift.day'),
      value: t('gift.dayAndTime', {
        moment: formats.momentIn(gift.deliverAt, gift.timeZone),
        zone: formats.zone(gift.timeZone),
      }),
    },
    { label: t('facts.language'), value: common(`language.${gift.language}`) },
    { label: t('gift.sent'), value: sentAt && formats.moment(sentAt) },
    { label: t('gift.claimed'), value: claimedAt && formats.moment(claimedAt) },
    {
      label: t('gift.message'),
      value: gift.message && (
        <span dir="auto" className={styles.written}>
          {gift.message}
        </span>
      ),
    },
    { label: t('gift.thanks'), value: thanks && <span dir="auto">{thanks.text}</span> },
  ];
  return (
    <Section title={t('gift.title')} wide>
      <Facts rows={rows.filter(({ value }) => value)} />
    </Section>
  );
}
