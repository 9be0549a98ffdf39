import { useTranslation } from 'react-i18next';
import { SkeletonBlock, SkeletonFrame } from '../../design/components/Skeleton.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PanelProps } from '../panel.ts';
import { useMay } from '../permissions.tsx';
import { Choices } from '../list/Choices.tsx';
import { ListState } from '../list/ListState.tsx';
import { choiceOf, useSearch } from '../list/use-address.ts';
import { Panel } from '../shared/Panel.tsx';
import shared from '../shared/shared.module.css';
import { BarChart } from './BarChart.tsx';
import styles from './Overview.module.css';
import {
  MoneyToLookAfter,
  MoneyWithoutOrder,
  NotPlanted,
  Queues,
  Reports,
  UndeliveredEvents,
} from './Queues.tsx';
import {
  byCurrency,
  momentOf,
  type Overview,
  SPANS,
  totalsOf,
  useMoneyAttention,
  useOverview,
} from './overview.ts';

function Amounts({ days, of }: { days: Overview['days']; of: 'amounts' | 'packageAmounts' }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const may = useMay();
  const currencies = byCurrency(days, of);
  return (
    <section className={styles.wide}>
      <h3 className={shared.heading}>{t(`overview.${of}`)}</h3>
      {currencies.length === 0 && <p className="quiet">{t(`overview.none.${of}`)}</p>}
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
                ...(may('payments:read') && {
                  to: `?view=payments${of === 'amounts' ? '' : '&of=packages'}&from=${days[at]!.day}&to=${days[at]!.day}`,
                }),
              }))}
            />
          </div>
        ))}
      </div>
    </section>
  );
}

/** Queues, then a chart beside a list. */
const OverviewSkeleton = ({ label }: { label: string }) => (
  <SkeletonFrame label={label} className={styles.overview}>
    <div className={styles.queues}>
      {[1, 2, 3, 4].map((queue) => (
        <div key={queue} className={styles.queue}>
          <SkeletonBlock />
          <SkeletonBlock className={styles.counting} />
        </div>
      ))}
    </div>
    <SkeletonBlock className={styles.drawing} />
    <SkeletonBlock className={styles.drawing} />
  </SkeletonFrame>
);

export function OverviewPanel({ session: { call } }: PanelProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const search = useSearch();
  const span = choiceOf(search.get('days'), SPANS);
  const query = useOverview(call, span);
  const data = query.data;
  const orders = (count: number) => t('overview.ordersOf', { count, shown: formats.number(count) });
  const trees = (count: number) => t('overview.treesOf', { count, shown: formats.number(count) });
  const money = useMoneyAttention(call).data;
  const totals = data && totalsOf(data.days);
  return (
    <Panel
      title={t('overview.title')}
      actions={
        <Choices
          label={t('overview.span')}
          chosen={span}
          choices={(['7', '30', '90'] as const).map((name) => ({
            name,
            text: t('overview.lastDays', { days: name }),
          }))}
          onChoose={(days) => search.set({ days: days === SPANS[0] ? null : days })}
        />
      }
    >
      <ListState
        query={query}
        loading={t('overview.loading')}
        skeleton={<OverviewSkeleton label={t('overview.loading')} />}
      >
        {data && totals && (
          <div className={styles.overview}>
            <Queues call={call} overview={data} money={money} />
            <MoneyToLookAfter money={money} />
            {money?.withoutOrder && <MoneyWithoutOrder call={call} />}
            {data.deadLetters > 0 && <UndeliveredEvents call={call} />}
            <Reports reports={data.reports} />
            <section className={styles.wide}>
              <BarChart
                title={t('overview.byDay', { orders: orders(totals.orders), trees: trees(totals.trees) })}
                scale={formats.number}
                bars={data.days.map((day) => ({
                  label: formats.day(momentOf(day.day)),
                  value: day.orders,
                  text: `${orders(day.orders)}, ${trees(day.trees)}`,
                  to: `?view=orders&from=${day.day}&to=${day.day}`,
                }))}
              />
            </section>
            <NotPlanted groups={data.notPlanted} asOf={data.asOf} />
            <Amounts days={data.days} of="amounts" />
            <Amounts days={data.days} of="packageAmounts" />
            <p className={`quiet least ${styles.wide}`}>
              {t('overview.asOf', { time: formats.time(data.asOf) })}
            </p>
          </div>
        )}
      </ListState>
    </Panel>
  );
}
