import { type Bank, CARD } from '@arboleda/contracts/payment-method.ts';
import { useEffect } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../../design/components/Alert.tsx';
import { Button } from '../../../design/components/Button.tsx';
import { Field } from '../../../design/components/Field.tsx';
import type { BuyerForm } from '../../../order/purchase/buyer.ts';
import { BuyerFields } from '../BuyerFields.tsx';
import { changeDraft } from '../../../order/purchase/draft.ts';
import type { Total } from '../selection.ts';
import { BankDetails } from './BankDetails.tsx';
import { EvidenceInput } from './EvidenceInput.tsx';
import type { Evidence } from './evidence.ts';
import { useReference } from './use-transfer.ts';
import styles from './TransferFields.module.css';

/** In place of the fields while no amount in pesos can be given. */
export function NoTransfer() {
  const { t } = useTranslation('checkout');
  return (
    <Alert
      kind="note"
      action={<Button onClick={() => changeDraft({ method: CARD })}>{t('transfer.cardInstead')}</Button>}
    >
      {t('transfer.noPesos')}
    </Alert>
  );
}

interface Props {
  bank: Bank;
  form: UseFormReturn<BuyerForm>;
  total: Total | undefined;
  evidence: Evidence;
  share: number | undefined;
  priceFailed: boolean;
  onRetryPrice: () => void;
  evidenceProblem: string | undefined;
}

export function TransferFields({
  bank,
  form,
  total,
  evidence,
  share,
  priceFailed,
  onRetryPrice,
  evidenceProblem,
}: Props) {
  const { t } = useTranslation('checkout');
  const reference = useReference(true);
  const { errors } = form.formState;
  const suggested = reference.reference;

  useEffect(() => {
    if (!suggested || form.getValues('referenceNumber')) return;
    form.setValue('referenceNumber', suggested);
    changeDraft({ referenceNumber: suggested });
  }, [suggested, form]);

  return (
    <>
      <section className={styles.part} aria-labelledby="details-title">
        <h3 id="details-title" className={styles.title}>
          {t('panel.details')}
        </h3>
        <BuyerFields form={form} withPhone />
      </section>
      <section className={styles.part} aria-labelledby="transfer-title">
        <h3 id="transfer-title" className={styles.title}>
          {t('transfer.title')}
        </h3>
        {priceFailed && (
          <Alert kind="wrong" action={<Button onClick={onRetryPrice}>{t('again')}</Button>}>
            {t('transfer.noPrice')}
          </Alert>
        )}
        <BankDetails bank={bank} total={total} reference={reference} />
      </section>
      <section className={styles.part} aria-labelledby="evidence-title">
        <h3 id="evidence-title" className={styles.title}>
          {t('evidence.title')}
        </h3>
        <EvidenceInput evidence={evidence} share={share} problem={evidenceProblem} />
        <Field
          label={t('transfer.referenceNumber')}
          note={t('panel.optional')}
          hint={t('transfer.referenceHint')}
          autoComplete="off"
          autoCapitalize="characters"
          dir="ltr"
          maxLength={80}
          error={errors.referenceNumber?.message}
          {...form.register('referenceNumber')}
        />
      </section>
    </>
  );
}
