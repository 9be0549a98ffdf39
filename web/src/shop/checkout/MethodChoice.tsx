import { BANK_IDS, bankNameOf, CARD, type PaymentMethod } from '@arboleda/contracts/payment-method.ts';
import { minorPerMajor } from '@arboleda/contracts/money.ts';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { bank, creditCard } from '../../design/components/icons.ts';
import type { PackagePrices } from '../../api/package-prices.ts';
import type { ProblemField } from '../../api/problem.ts';
import { useFormats } from '../../i18n/format.ts';
import type { BuyerForm } from '../../order/purchase/buyer.ts';
import { changeDraft } from '../../order/purchase/draft.ts';
import type { CheckoutProblem } from './checkout-problem.ts';
import { type Selection, totalOf } from './selection.ts';
import styles from './MethodChoice.module.css';

/** What a method adds to the form: card and transfer each have one. */
export interface MethodPart {
  /** What its own fields lack. */
  missing: 'card' | 'evidence' | undefined;
  isWorking: boolean;
  problem: CheckoutProblem | undefined;
  setProblem: (problem: CheckoutProblem | undefined) => void;
  /** Pays with what was typed; returns the fields that the server refused. */
  pay: (buyer: BuyerForm) => Promise<readonly ProblemField[]>;
}

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
  selection: Selection;
  /** Prices of a transfer, whose cost and exchange rate are shown to buyers who see another currency. */
  pesos: PackagePrices | undefined;
}

export function MethodChoice({ chosen, locked, selection, pesos }: Props) {
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  const id = useId();
  const inPesos = (prices: PackagePrices) => {
    const { amountMinor, currency } = totalOf(selection, prices);
    const rateMinor = Math.round(prices.exchangeRate * minorPerMajor(currency));
    return { amount: formats.money(amountMinor, currency), rate: formats.money(rateMinor, currency) };
  };
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
                    {t('method.transfer.pesos', inPesos(pesos))}
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
