import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import type { AskedAssignment } from './AssignmentSection.tsx';
import type { OrderDetails } from './orders.ts';
import styles from './parts.module.css';
import { Loaded, Section } from './Section.tsx';

export function GrowthSection({ order, assignment }: { order: OrderDetails; assignment: AskedAssignment }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  if (order.growthPurchases.length === 0) return null;
  return (
    <Section title={t('growth.title')} wide>
      <p className={styles.line}>
        {order.growthPurchases
          .map(({ photoPackageType, amount, currency, purchasedAt, stoppedAt }) =>
            t(stoppedAt ? 'growth.stopped' : 'growth.bought', {
              package: t(`growth.packages.${photoPackageType}`),
              amount: formats.money(amount, currency),
              day: formats.day(stoppedAt ?? purchasedAt),
            }),
          )
          .join(' · ')}
      </p>
      <Loaded query={assignment} missing={t('growth.waiting')}>
        {({ visits }) => (
          <ul>
            {visits.map((visit) => (
              <li key={visit._id} className={`${styles.line} ${styles.split}`}>
                <span>
                  {t('growth.visit', { number: visit.number, of: visit.of })}
                  {visit.worker && <span className="quiet"> · {visit.worker.name}</span>}
                </span>
                <span className="tabular">
                  {t(`growth.states.${visit.state}`)}
                  {(visit.doneAt ?? visit.dueAt) && ` · ${formats.day((visit.doneAt ?? visit.dueAt)!)}`}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Section>
  );
}
