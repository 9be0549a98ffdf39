import { useTranslation } from 'react-i18next';
import { aside } from '../../art/scenes.ts';
import { Money } from '../../design/components/Money.tsx';
import { Picture } from '../../design/components/Picture.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { Selection, Total } from './selection.ts';
import styles from './OrderSummary.module.css';

const NEXT = ['now', 'soon', 'planted'] as const;

export function OrderSummary({ selection, total }: { selection: Selection; total: Total }) {
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  const { trees, amountMinor, savingMinor, currency } = total;
  const fullMinor = amountMinor + savingMinor;
  const { packageType } = selection;
  return (
    <aside className={styles.summary} aria-labelledby="summary-title">
      <div className={styles.words}>
        <h2 id="summary-title" className={styles.title}>
          {t('summary.title')}
        </h2>
        <dl className={`small tabular ${styles.lines}`}>
          <div>
            <dt>
              {t('summary.line', {
                count: trees,
                amount: formats.money(Math.round(fullMinor / trees), currency),
              })}
            </dt>
            <dd>{formats.money(fullMinor, currency)}</dd>
          </div>
          {savingMinor > 0 && (packageType === 'grove' || packageType === 'patch') && (
            <div>
              <dt>{t(`summary.saving.${packageType}`)}</dt>
              <dd>{`−\u2060${formats.money(savingMinor, currency)}`}</dd>
            </div>
          )}
          <div className={styles.total}>
            <dt>{t('summary.total')}</dt>
            <dd>
              <Money amountMinor={amountMinor} currency={currency} size="huge" />
            </dd>
          </div>
        </dl>
        <ol className={styles.next}>
          {NEXT.map((step) => (
            <li key={step}>
              <h3 className={styles.when}>{t(`summary.${step}`)}</h3>
              <p className="small">{t(`summary.${step}Text`)}</p>
            </li>
          ))}
        </ol>
      </div>
      <Picture className={styles.drawing} scene={aside} alt="" sizes="392px" />
    </aside>
  );
}
