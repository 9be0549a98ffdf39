import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import shared from '../shared/shared.module.css';
import { BarChart } from './BarChart.tsx';
import styles from './Overview.module.css';
import { byCurrency, momentOf, type Overview } from './overview.ts';

/** Received amounts, each currency separately. */
export function Amounts({ days }: { days: Overview['days'] }) {
  const { t } = useTranslation('desk');
  const formats = useFormats();
  const currencies = byCurrency(days);
  return (
    <section className={styles.wide}>
      <h3 className={shared.heading}>{t('overview.amounts')}</h3>
      {currencies.length === 0 && <p className="quiet">{t('overview.noAmounts')}</p>}
      <div className={styles.currencies}>
        {currencies.map(({ currency, amountMinor, refundedMinor, lostMinor, byDay }) => (
          <div key={currency}>
            <BarChart
              title={[
                refundedMinor > 0
                  ? t('overview.amountRefunded', {
                      amount: formats.money(amountMinor, currency),
                      refunded: formats.money(refundedMinor, currency),
                    })
                  : formats.money(amountMinor, currency),
                ...(lostMinor > 0
                  ? [t('overview.amountLost', { lost: formats.money(lostMinor, currency) })]
                  : []),
              ].join(' · ')}
              scale={(value) => formats.money(value, currency)}
              bars={byDay.map((value, at) => ({
                label: formats.day(momentOf(days[at]!.day)),
                value,
                text: formats.money(value, currency),
              }))}
            />
          </div>
        ))}
      </div>
    </section>
  );
}
