import { currencyDecimals, minorPerMajor } from '@arboleda/contracts/money.ts';
import { type Bank, BANKS } from '@arboleda/contracts/payment-method.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfig } from '../../../api/config.ts';
import { Alert } from '../../../design/components/Alert.tsx';
import { Button } from '../../../design/components/Button.tsx';
import { CopyButton } from '../../../design/components/CopyButton.tsx';
import { Money } from '../../../design/components/Money.tsx';
import { Skeleton } from '../../../design/components/Skeleton.tsx';
import type { Total } from '../selection.ts';
import type { useReference } from './use-transfer.ts';
import styles from './TransferFields.module.css';

interface Props {
  bank: Bank;
  total: Total | undefined;
  reference: ReturnType<typeof useReference>;
}

/** For bank forms: no thousands separators, decimals only when not zero. */
const plainAmount = ({ amountMinor, currency }: Total): string => {
  const perMajor = minorPerMajor(currency);
  return (amountMinor / perMajor).toFixed(amountMinor % perMajor === 0 ? 0 : currencyDecimals(currency));
};

export function BankDetails({ bank, total, reference }: Props) {
  const { t } = useTranslation('checkout');
  const config = useConfig();
  if (config.isError) {
    return (
      <Alert kind="wrong" action={<Button onClick={() => void config.refetch()}>{t('again')}</Button>}>
        {t('transfer.noAccount')}
      </Alert>
    );
  }
  if (!config.data) return <Skeleton label={t('transfer.loading')} lines={5} />;
  const account = config.data.bankAccounts.find((one) => one.bank === bank)!;
  const { accountType, accountNumber, holder, taxId, breB } = account;
  const number = reference.reference;
  return (
    <dl className={styles.rows}>
      <div className={`on-forest ${styles.row} ${styles.reference}`}>
        <dt>{t('transfer.reference')}</dt>
        {number && (
          <dd>
            <span className={styles.value}>{number}</span>
            <CopyButton wordless text={number} label={t('transfer.copy.reference')} />
          </dd>
        )}
        {!number && (
          <dd>
            {reference.isError ? t('transfer.noReference') : '…'}
            {reference.isError && <Button onClick={reference.refetch}>{t('again')}</Button>}
          </dd>
        )}
      </div>
      <Row
        label={t('transfer.amount')}
        value={total ? <Money amountMinor={total.amountMinor} currency={total.currency} /> : '…'}
        copy={total && plainAmount(total)}
        copyLabel={t('transfer.copy.amount')}
      />
      {breB && (
        <Row
          label={t('transfer.breB')}
          value={breB.key}
          copy={breB.key}
          copyLabel={t('transfer.copy.breB')}
          picture={breB.qr && <img className={styles.qr} src={breB.qr} alt={t('transfer.qr')} />}
        />
      )}
      <Row
        label={`${BANKS[bank].name}, ${accountType}`}
        value={accountNumber}
        copy={accountNumber}
        copyLabel={t('transfer.copy.account')}
      />
      <Row label={t('transfer.holder')} value={holder} copy={holder} copyLabel={t('transfer.copy.holder')} />
      <Row label={t('transfer.taxId')} value={taxId} copy={taxId} copyLabel={t('transfer.copy.taxId')} />
    </dl>
  );
}

interface RowProps {
  label: string;
  value: ReactNode;
  copy: string | undefined;
  copyLabel: string;
  picture?: ReactNode;
}

const Row = ({ label, value, copy, copyLabel, picture }: RowProps) => (
  <div className={styles.row}>
    <dt>{label}</dt>
    <dd>
      <span className={`tabular ${styles.value}`}>{value}</span>
      {copy && <CopyButton wordless text={copy} label={copyLabel} />}
    </dd>
    {picture && <dd>{picture}</dd>}
  </div>
);
