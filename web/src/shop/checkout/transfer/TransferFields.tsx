import { type Bank, CARD } from '@arboleda/contracts/payment-method.ts';
import { useEffect, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../../design/components/Alert.tsx';
import { Button } from '../../../design/components/Button.tsx';
import { Field } from '../../../design/components/Field.tsx';
import { typedText } from '../../../i18n/typed-text.ts';
import { type BuyerForm, customerOf } from '../../../order/purchase/buyer.ts';
import { BuyerFields } from '../BuyerFields.tsx';
import { changeDraft } from '../../../order/purchase/draft.ts';
import type { MethodPart } from '../MethodChoice.tsx';
import type { PricedSelection, Total } from '../selection.ts';
import { BankDetails } from './BankDetails.tsx';
import { EvidenceInput } from './EvidenceInput.tsx';
import { acceptedOf, useEvidence } from './evidence.ts';
import { useReference, useTransfer } from './use-transfer.ts';
import styles from './TransferFields.module.css';

/** Paying by transfer. @param bank undefined while another method is chosen */
export function useTransferPart(
  priced: PricedSelection,
  bank: Bank | undefined,
  onDone: (orderToken: string) => void,
) {
  const { t } = useTranslation('checkout');
  const evidence = useEvidence();
  const [wasEmpty, setWasEmpty] = useState(false);
  const { send, stop, share, problem, setProblem } = useTransfer(priced, evidence, onDone);
  const isEmpty = acceptedOf(evidence.pictures).length === 0;
  const part: MethodPart = {
    missing: isEmpty ? 'evidence' : undefined,
    isWorking: share !== undefined,
    problem,
    setProblem,
    pay: async (buyer) => {
      if (isEmpty) setWasEmpty(true);
      if (isEmpty || !bank) return [];
      const phone = typedText(buyer.phone);
      const referenceNumber = typedText(buyer.referenceNumber);
      return send({ ...customerOf(buyer), bank, phone, referenceNumber });
    },
  };
  return {
    ...part,
    evidence,
    share,
    stop,
    evidenceProblem: wasEmpty && isEmpty ? t('errors.evidence') : undefined,
  };
}

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
  transfer: ReturnType<typeof useTransferPart>;
  priceFailed: boolean;
  onRetryPrice: () => void;
}

export function TransferFields({ bank, form, total, transfer, priceFailed, onRetryPrice }: Props) {
  const { t } = useTranslation('checkout');
  const { evidence, share, evidenceProblem } = transfer;
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
