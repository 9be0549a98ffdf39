import { useTranslation } from 'react-i18next';
import { isClaimed } from '../content/Claim.tsx';
import { useFormats } from '../i18n/format.ts';
import type { CustomerStats } from './orders.ts';
import styles from './Tiles.module.css';

/** The four totals of product spec section 2, over all orders of a customer. */
export function Tiles({ stats }: { stats: CustomerStats }) {
  const { t } = useTranslation('customer');
  const formats = useFormats();
  const tiles: { label: string; value: number; hint?: string }[] = [
    { label: t('tiles.ordered'), value: stats.totalTrees },
    { label: t('tiles.planted'), value: stats.treesPlanted },
    { label: t('tiles.orders'), value: stats.totalOrders },
    ...(isClaimed('co2')
      ? [{ label: t('tiles.carbon'), value: stats.carbonOffset, hint: t('tiles.carbonHint') }]
      : []),
  ];
  return (
    <dl className={styles.tiles}>
      {tiles.map(({ label, value, hint }) => (
        <div key={label}>
          <dt>
            {label}
            {hint && <span className={`least quiet ${styles.hint}`}>{hint}</span>}
          </dt>
          <dd className="figure">{formats.number(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
