import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import shared from '../shared/shared.module.css';
import { Evidence } from './Evidence.tsx';
import styles from './Review.module.css';
import { type Transfer, useTransfer } from './transfers.ts';

interface Props {
  call: PortalCall;
  transfer: Transfer;
  /** Order of the other transfer. */
  other: string;
  onClose: () => void;
}

export function TransferComparison({ call, transfer, other, onClose }: Props) {
  const { t } = useTranslation('panels');
  const { data, isPending } = useTransfer(call, other);
  return (
    <section aria-label={t('review.compared')}>
      <div className={styles.compared}>
        <One call={call} transfer={transfer} title={t('review.thisOne', { id: transfer.shortId })} />
        {isPending && <Skeleton label={t('review.loading')} />}
        {data && <One call={call} transfer={data} title={t('review.otherOne', { id: data.shortId })} />}
        {!data && !isPending && <Alert kind="note">{t('review.otherGone')}</Alert>}
      </div>
      <Button size="small" onClick={onClose}>
        {t('review.endCompare')}
      </Button>
    </section>
  );
}

function One({ call, transfer, title }: { call: PortalCall; transfer: Transfer; title: string }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const { amount, currency, createdAt, customerName, customerEmail, manualPayment } = transfer;
  return (
    <div>
      <h3 className={shared.heading}>{title}</h3>
      <Evidence call={call} transfer={transfer} />
      <div className={styles.comparedFacts}>
        <Facts
          rows={[
            { label: t('facts.name'), value: customerName },
            { label: t('facts.email'), value: customerEmail },
            { label: t('facts.amount'), value: formats.money(amount, currency) },
            { label: t('facts.reference'), value: manualPayment.referenceNumber ?? t('review.notGiven') },
            { label: t('facts.sent'), value: formats.day(createdAt) },
            {
              label: t('facts.verification'),
              value: t(`transfers.verification.${manualPayment.verificationStatus}`),
            },
          ]}
        />
      </div>
    </div>
  );
}
