import { useTranslation } from 'react-i18next';
import mission from '../../art/mission.svg';
import { ORGANISATION } from '../../content/organisation.ts';
import { WithSpecies } from '../../design/components/WithSpecies.tsx';
import styles from './About.module.css';

const FOUNDERS = ['first', 'second'] as const;

export function About() {
  const { t } = useTranslation('landing');
  return (
    <section id="about" className={`container ${styles.about}`} aria-labelledby="about-title">
      <div className={styles.top}>
        <div className={styles.story}>
          <h2 id="about-title" className={`section-title ${styles.title}`}>
            {t('about.title')}
          </h2>
          <p>{t('about.story1')}</p>
          <p>{t('about.story2')}</p>
          <p>{t('about.story3')}</p>
        </div>
        <ul className={styles.founders}>
          {FOUNDERS.map((key) => (
            <li key={key}>
              <img
                src={ORGANISATION.founders[key].portrait}
                width="300"
                height="340"
                alt={t(`about.founders.${key}.portrait`)}
                loading="lazy"
              />
              <h3 className={styles.founder}>{ORGANISATION.founders[key].name}</h3>
              <p className="small quiet">{t(`about.founders.${key}.role`)}</p>
            </li>
          ))}
        </ul>
      </div>
      <div className={`on-forest ${styles.mission}`}>
        <div className={styles.words}>
          <h3 className={styles.label}>{t('mission.label')}</h3>
          <p className={styles.statement}>{t('mission.text')}</p>
          <p className="small quiet">
            <WithSpecies text={t('mission.caption')} />
          </p>
        </div>
        <img className={styles.branch} src={mission} width="520" height="420" alt="" loading="lazy" />
      </div>
    </section>
  );
}
