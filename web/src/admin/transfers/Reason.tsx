import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { SelectField, TextField } from '../../design/components/Field.tsx';
import { asLanguage, type Language } from '../../i18n/languages.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOrderPayment } from '../payments/payments.ts';
import styles from './Review.module.css';
import type { Transfer } from './transfers.ts';

const COMMON = ['not-found', 'amount', 'not-ours', 'other-order', 'unreadable'] as const;

interface Props {
  call: PortalCall;
  transfer: Transfer;
  value: string;
  isMissing: boolean;
  onChange: (reason: string) => void;
}

/** Rejection reason. The donor reads it verbatim, so the suggestions are in the donor's language. */
export function Reason(props: Props) {
  const { t, i18n } = useTranslation('panels');
  const { call, transfer, value, isMissing, onChange } = props;
  // The buyer's language, used in emails about the order.
  const donors = useOrderPayment(call, transfer._id).data?.language;
  const language = donors ?? asLanguage(i18n.language) ?? 'en';
  return (
    <section className={`${styles.section} ${styles.reason}`}>
      <Suspense>
        <CommonReasons language={language} transfer={transfer} onChoose={onChange} />
      </Suspense>
      <TextField
        label={t('reason.label')}
        rows={3}
        maxLength={1000}
        value={value}
        error={isMissing && t('reason.missing')}
        hint={donors ? t(`reason.reads.${donors}`, { name: transfer.customerName }) : t('reason.readsIt')}
        onChange={(event) => onChange(event.target.value)}
      />
    </section>
  );
}

function CommonReasons({
  language,
  transfer,
  onChoose,
}: {
  language: Language;
  transfer: Transfer;
  onChoose: (reason: string) => void;
}) {
  const { t } = useTranslation('panels');
  // Suspends until the texts of the donor's language, maybe not the reader's, are loaded.
  const { t: donors } = useTranslation('panels', { lng: language });
  const reference = transfer.manualPayment.referenceNumber ?? transfer.shortId;
  return (
    <SelectField
      label={t('reason.common')}
      value=""
      onChange={(event) =>
        event.target.value &&
        onChoose(donors(`reason.write.${event.target.value as 'amount'}`, { reference }))
      }
    >
      <option value="">{t('reason.choose')}</option>
      {COMMON.map((name) => (
        <option key={name} value={name}>
          {t(`reason.short.${name}`)}
        </option>
      ))}
    </SelectField>
  );
}
