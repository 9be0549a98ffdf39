import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { ButtonLink } from '../../design/components/Button.tsx';
import { BoughtGrowth } from '../../growth/BoughtGrowth.tsx';
import { GrowthPlans } from '../../growth/GrowthPlans.tsx';
import { mayGrow } from '../../growth/schedule.ts';
import styles from './OrderPage.module.css';

/** Growth updates; packages are chosen here and bought in the portal by the order's owner. */
export function GrowthSection({ order }: { order: PublicOrder }) {
  const { t } = useTranslation('growth');
  const bought = (order.growth?.length ?? 0) > 0;
  if (!bought && !mayGrow(order)) return null;
  return (
    <section className={`container ${styles.section}`} aria-labelledby="growth-title">
      <h2 id="growth-title" className="section-title">
        {t('title')}
      </h2>
      <BoughtGrowth order={order} />
      {mayGrow(order) && (
        <>
          <p className={`lead ${styles.growthLead}`}>{t('lead')}</p>
          <GrowthPlans
            plantingDate={order.plantingDate}
            action={({ popular }, name) => (
              <ButtonLink
                to={`/customer-portal?growth=${order._id}`}
                look={popular ? 'accent' : 'secondary'}
                aria-label={t('chooseOne', { name })}
              >
                {t('choose')}
              </ButtonLink>
            )}
          />
        </>
      )}
    </section>
  );
}
