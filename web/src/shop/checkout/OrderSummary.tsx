import { useTranslation } from 'react-i18next';
import { aside } from '../../art/scenes.ts';
import { Money } from '../../design/components/Money.tsx';
import { Picture } from '../../design/components/Picture.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useDraft } from '../../order/purchase/draft.ts';
import { NO_PRICE } from './PackagePrice.tsx';
import { countProblem, type Selection, type Total } from './selection.ts';
import styles from './OrderSummary.module.css';

/** Next steps; a transfer must be verified first. */
const NEXT = {
  card: ['now', 'soon', 'planted'],
  transfer: ['verified', 'soon', 'planted'],
} as const;

interface Props {
  selection: Selection;
  total: Total | undefined;
  /** No price is to be had, and none is being looked up. */
  isUnpriced: boolean;
}

export function OrderSummary({ selection, total, isUnpriced }: Props) {
  const { t } = useTranslation('checkout');
  const { method } = useDraft();
  const isAboveCardLimit = method.kind === 'card' && total?.cardLimit !== undefined;
  return (
    <aside className={styles.summary} aria-labelledby="summary-title">
      <div className={styles.stay}>
        <div className={styles.words}>
          <h2 id="summary-title" className={styles.title}>
            {t('summary.title')}
          </h2>
          {countProblem(selection) || isUnpriced || isAboveCardLimit ? (
            <NoTotal />
          ) : total ? (
            <Lines selection={selection} total={total} />
          ) : (
            <p className={`small quiet ${styles.lines}`}>{t('note.loading')}</p>
          )}
          <ol className={styles.next}>
            {NEXT[method.kind].map((step) => (
              <li key={step}>
                <h3 className={styles.when}>{t(`summary.${step}`)}</h3>
                <p className="small">
                  {step === 'soon'
                    ? t('summary.soonText', { count: total?.trees ?? 1 })
                    : t(`summary.${step}Text`)}
                </p>
              </li>
            ))}
          </ol>
        </div>
      </div>
      <Picture className={styles.drawing} scene={aside} alt="" sizes="392px" />
    </aside>
  );
}

/** For a count or a way to pay that cannot be bought. */
function NoTotal() {
  const { t } = useTranslation('checkout');
  return (
    <dl className={`small tabular ${styles.lines}`}>
      <div className={styles.total}>
        <dt>{t('summary.total')}</dt>
        <dd>{NO_PRICE}</dd>
      </div>
    </dl>
  );
}

function Lines({ selection: { packageType }, total }: { selection: Selection; total: Total }) {
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  const { trees, amountMinor, savingMinor, currency } = total;
  const fullMinor = amountMinor + savingMinor;
  return (
    <dl className={`small tabular ${styles.lines}`}>
      <div>
        <dt>
          {t('summary.line', {
            count: trees,
            trees: formats.number(trees),
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
  );
}
