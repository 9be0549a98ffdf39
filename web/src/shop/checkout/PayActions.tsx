import type { PaymentMethod } from '@arboleda/contracts/payment-method.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { lock } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import type { CheckoutProblem } from './checkout-problem.ts';
import type { MethodPart } from './MethodChoice.tsx';
import { useDraft } from '../../order/purchase/draft.ts';
import styles from './PayActions.module.css';

type Missing = 'name' | 'email' | 'price' | NonNullable<MethodPart['missing']>;

interface Form {
  name: string;
  email: string;
  /** Whether the amount is known in the method's currency. */
  hasPrice: boolean;
  /** What the method's own fields lack. */
  ofMethod: MethodPart['missing'];
}

/** Requirements for pressing Pay: product spec section 5. */
export function missingOf({ name, email, hasPrice, ofMethod }: Form): Missing[] {
  const missing: Missing[] = [];
  if (!name.trim()) missing.push('name');
  if (!email.trim()) missing.push('email');
  if (!hasPrice) missing.push('price');
  if (ofMethod) missing.push(ofMethod);
  return missing;
}

interface Props {
  method: PaymentMethod;
  missing: readonly Missing[];
  problem: CheckoutProblem | undefined;
  label: string;
  isCharging: boolean;
  isSending: boolean;
  onCancel: () => void;
  /** Present where buyers can pay by transfer. */
  onTransfer: (() => void) | undefined;
}

export function PayActions({
  method,
  missing,
  problem,
  label,
  isCharging,
  isSending,
  onCancel,
  onTransfer,
}: Props) {
  const { t } = useTranslation('checkout');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const { sending } = useDraft();
  const id = useId();
  const isInDoubt = method.kind === 'transfer' && Boolean(sending?.tries.length) && !isSending;
  return (
    <>
      {problem && (
        <Alert
          kind="wrong"
          label={method.kind === 'card' ? t('errors.payment') : undefined}
          action={
            problem.isDeclined &&
            onTransfer && <Button onClick={onTransfer}>{t('card.transferInstead')}</Button>
          }
        >
          <p>{problem.text}</p>
          {problem.hint && <p>{problem.hint}</p>}
        </Alert>
      )}
      {isInDoubt && <Alert kind="note">{t('transfer.inDoubt')}</Alert>}
      <div className={styles.actions}>
        <Button look="text" disabled={isCharging} onClick={onCancel}>
          {isSending ? t('transfer.stop') : t('panel.cancel')}
        </Button>
        <Button
          type="submit"
          look="accent"
          size="large"
          className={styles.pay}
          disabled={missing.length > 0}
          aria-describedby={`${id}-missing`}
          working={(isCharging && t('panel.working')) || (isSending && t('transfer.working'))}
        >
          {label}
        </Button>
        <p id={`${id}-missing`} className={`small quiet ${styles.missing}`} role="status">
          {missing.length > 0 &&
            t('missing.sentence', { things: formats.list(missing.map((one) => t(`missing.${one}`))) })}
        </p>
        <p className={`small quiet ${styles.promise}`}>
          <Icon of={lock} size="small" />
          <span>{t(`promise.${method.kind}`)}</span>
        </p>
        <p className={`small quiet ${styles.promise}`}>
          <span>
            {/* In a new tab, so that what was typed stays in sight. */}
            {t('accept')}{' '}
            <Link to="/terms" target="_blank">
              {common('footer.terms')}
            </Link>
            {'\u00a0· '}
            <Link to="/privacy" target="_blank">
              {common('footer.privacy')}
            </Link>
          </span>
        </p>
      </div>
    </>
  );
}
