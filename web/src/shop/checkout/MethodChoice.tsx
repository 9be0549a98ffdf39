import { BANK_IDS, bankNameOf, CARD, type PaymentMethod } from '@arboleda/contracts/payment-method.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { bank, creditCard } from '../../design/components/icons.ts';
import { changeDraft } from '../../order/purchase/draft.ts';
import styles from './MethodChoice.module.css';

/** Names of product spec section 4: `stripe`, or the bank. */
const nameOf = (method: PaymentMethod): string => (method.kind === 'card' ? 'stripe' : method.bank);
const METHODS: readonly PaymentMethod[] = [
  CARD,
  ...BANK_IDS.map((bank): PaymentMethod => ({ kind: 'transfer', bank })),
];
const ICONS = { card: creditCard, transfer: bank };

interface Props {
  chosen: PaymentMethod;
  locked: boolean;
  /** Cost of a transfer in pesos and its exchange rate, for buyers who see another currency. */
  pesos: { amount: string; rate: string } | undefined;
}

export function MethodChoice({ chosen, locked, pesos }: Props) {
  const { t } = useTranslation('checkout');
  const id = useId();
  return (
    <fieldset disabled={locked}>
      <legend className={styles.legend}>
        <h2 className={styles.title}>{t('method.title')}</h2>
      </legend>
      <div className={styles.methods}>
        {METHODS.map((method) => ({ method, name: nameOf(method) })).map(({ method, name }) => (
          <label key={name} className={`${styles.method} ${name === nameOf(chosen) ? styles.chosen : ''}`}>
            <input
              className={styles.radio}
              type="radio"
              name="payment-method"
              value={name}
              checked={name === nameOf(chosen)}
              aria-labelledby={`${id}-${name}`}
              aria-describedby={`${id}-${name}-hint`}
              onChange={() => changeDraft({ method })}
            />
            <span className={styles.words}>
              <span id={`${id}-${name}`} className={styles.name}>
                {t(`method.${method.kind}.name`, { bank: bankNameOf(method) })}
              </span>
              <span id={`${id}-${name}-hint`} className={styles.hint}>
                {t(`method.${method.kind}.hint`)}
                {method.kind === 'transfer' && pesos && (
                  <>
                    <br />
                    {t('method.transfer.pesos', pesos)}
                  </>
                )}
              </span>
            </span>
            <Icon of={ICONS[method.kind]} className={styles.icon} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
