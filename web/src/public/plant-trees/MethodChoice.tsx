import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { bank, creditCard } from '../../design/components/icons.ts';
import { changeDraft, type PaymentMethod } from './draft.ts';
import styles from './MethodChoice.module.css';

const METHODS = [
  { method: 'stripe', icon: creditCard },
  { method: 'bancolombia', icon: bank },
] as const;

export function MethodChoice({ chosen, locked }: { chosen: PaymentMethod; locked: boolean }) {
  const { t } = useTranslation('checkout');
  const id = useId();
  return (
    <fieldset disabled={locked}>
      <legend className={styles.legend}>
        <h2 className={styles.title}>{t('method.title')}</h2>
      </legend>
      <div className={styles.methods}>
        {METHODS.map(({ method, icon }) => (
          <label key={method} className={`${styles.method} ${method === chosen ? styles.chosen : ''}`}>
            <input
              className={styles.radio}
              type="radio"
              name="payment-method"
              value={method}
              checked={method === chosen}
              aria-labelledby={`${id}-${method}`}
              aria-describedby={`${id}-${method}-hint`}
              onChange={() => changeDraft({ method })}
            />
            <span className={styles.words}>
              <span id={`${id}-${method}`} className={styles.name}>
                {t(`method.${method}.name`)}
              </span>
              <span id={`${id}-${method}-hint`} className={styles.hint}>
                {t(`method.${method}.hint`)}
              </span>
            </span>
            <Icon of={icon} className={styles.icon} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
