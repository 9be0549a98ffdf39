import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { Field, TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { readAmount } from '../../i18n/typed-numbers.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import { isOtherRequest, type Refund, type RefundTarget, useRefund } from './refund.ts';
import styles from './RefundDialog.module.css';

interface Props {
  call: PortalCall;
  /** Reloaded after every attempt while the dialog is open. */
  target: RefundTarget;
  /** The reason, to be changed. */
  because?: string;
  onClose: () => void;
  onDone: (refund: Refund) => void;
}

/**
 * Refunds all or part. Mounted only while open: each opening is one idempotent request, however often the button is
 * pressed.
 */
export function RefundDialog({ call, target, because = '', onClose, onDone }: Props) {
  const { t, i18n } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const problemText = useProblemText();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [isPart, setIsPart] = useState(false);
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState(because);
  const [byHand, setByHand] = useState(false);
  const [asked, setAsked] = useState(false);
  const refund = useRefund({ call, target, idempotencyKey: key, onDone });

  const { currency, leftAmount: left } = target;
  const read = readAmount(typed, currency, asLanguage(i18n.language) ?? 'en');
  const part = read === 'ambiguous' ? undefined : read;
  const amount = isPart ? part : left;
  const isSentByHand = byHand || !target.isThroughStripe;
  const isTooMuch = part !== undefined && part > left;
  const amountFault = isPart && (part === undefined || part === 0 || isTooMuch);
  const reasonFault = reason.trim() === '';
  const money = (minor: number) => formats.money(minor, currency);
  const failed = t('refund.failed');

  const title = target.photoPackageType
    ? t('refund.titlePackage', {
        id: target.shortId,
        package: t(`growth.packages.${target.photoPackageType}`),
      })
    : t('refund.title', { id: target.shortId });

  const submit = () => {
    setAsked(true);
    if (amountFault || reasonFault || refund.isPending || refund.isSuccess) return;
    refund.mutate(
      { amount: isPart ? part : undefined, reason: reason.trim(), byHand, claim: isSentByHand },
      // The first attempt may have arrived, so the remainder is reloaded and the next attempt uses a new key.
      { onError: (error) => isOtherRequest(error) && setKey(crypto.randomUUID()) },
    );
  };
  return (
    <Dialog open onClose={onClose} title={title}>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <p>
          {t(isSentByHand ? 'refund.byHand' : 'refund.toCard', {
            name: target.customerName,
          })}
        </p>
        {target.photoPackageType && <p>{t('refund.packageStops')}</p>}
        <fieldset className={styles.choice}>
          <legend className="visually-hidden">{t('refund.howMuch')}</legend>
          <label>
            <input type="radio" name="refund" checked={!isPart} onChange={() => setIsPart(false)} />
            <span>{t('refund.all', { amount: money(left) })}</span>
          </label>
          <label>
            <input type="radio" name="refund" checked={isPart} onChange={() => setIsPart(true)} />
            <span>{t('refund.part')}</span>
          </label>
        </fieldset>
        {isPart && (
          <Field
            label={t('refund.amount', { currency })}
            hint={t('refund.most', { amount: money(left) })}
            inputMode="decimal"
            autoComplete="off"
            value={typed}
            error={
              asked &&
              amountFault &&
              (isTooMuch
                ? t('refund.tooMuch', { amount: money(left) })
                : t(read === 'ambiguous' ? 'refund.ambiguous' : 'refund.noAmount'))
            }
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
        <TextField
          label={t('refund.reason')}
          hint={t('refund.reasonHint')}
          rows={2}
          maxLength={1000}
          value={reason}
          error={asked && reasonFault && t('refund.noReason')}
          onChange={(event) => setReason(event.target.value)}
        />
        {target.isThroughStripe && (
          <div className={styles.choice}>
            <label>
              <input type="checkbox" checked={byHand} onChange={(event) => setByHand(event.target.checked)} />
              <span>{t('refund.otherWay')}</span>
            </label>
          </div>
        )}
        {refund.error && (
          <Alert kind="wrong">
            {isOtherRequest(refund.error)
              ? t('refund.otherAttempt')
              : problemText(refund.error, { failed, network: t('refund.network') })}
          </Alert>
        )}
        <div className={styles.acts}>
          <Button onClick={onClose}>{common('cancel')}</Button>
          <Button
            type="submit"
            look="solid-destructive"
            disabled={left === 0}
            working={refund.isPending && t('refund.working')}
          >
            {amount === undefined || amount === 0
              ? t(isSentByHand ? 'refund.begin' : 'refund.submit')
              : t(isSentByHand ? 'refund.beginAmount' : 'refund.submitAmount', { amount: money(amount) })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
