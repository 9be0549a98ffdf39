import { useTranslation } from 'react-i18next';
import { stepGrowth, stepPhotos } from '../../art/scenes.ts';
import seed from '../../art/st-1.svg';
import sprout from '../../art/st-2.svg';
import seedling from '../../art/st-3.svg';
import sapling from '../../art/st-4.svg';
import planted from '../../art/st-5.svg';
import { Picture } from '../../design/components/Picture.tsx';
import styles from './HowItWorks.module.css';

const STEPS = [
  { key: 'payment', drawing: seed },
  { key: 'email', drawing: sprout },
  { key: 'worker', drawing: seedling },
  { key: 'notification', drawing: sapling },
  { key: 'location', drawing: planted },
  { key: 'photos', drawing: stepPhotos },
  { key: 'growth', drawing: stepGrowth },
] as const;

export function HowItWorks() {
  const { t } = useTranslation('landing');
  return (
    <section id="how-it-works" className={`container ${styles.how}`} aria-labelledby="how-title">
      <h2 id="how-title" className={`section-title ${styles.title}`}>
        {t('how.title')}
      </h2>
      <ol className={styles.steps}>
        {STEPS.map(({ key, drawing }) => (
          <li key={key} className={styles.step}>
            {typeof drawing === 'string' ? (
              <img className={styles.drawing} src={drawing} width="132" height="168" alt="" loading="lazy" />
            ) : (
              <Picture className={styles.drawing} scene={drawing} alt="" sizes="132px" />
            )}
            <span className={styles.dot} aria-hidden="true" />
            <div className={styles.words}>
              <h3 className={styles.name}>{t(`how.steps.${key}.title`)}</h3>
              <p className="small quiet">{t(`how.steps.${key}.text`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
