import { useTranslation } from 'react-i18next';
import nameDrawing from '../../art/sp-name.svg';
import nursery from '../../art/sp-nursery.svg';
import photos from '../../art/sp-photos.svg';
import place from '../../art/sp-place.svg';
import seeds from '../../art/sp-seeds.svg';
import soil from '../../art/sp-soil.svg';
import water from '../../art/sp-water.svg';
import wildlife from '../../art/sp-wildlife.svg';
import work from '../../art/sp-work.svg';
import styles from './Benefits.module.css';

const GROUPS = [
  {
    title: 'land.title',
    benefits: [
      { key: 'land.water', drawing: water },
      { key: 'land.soil', drawing: soil },
      { key: 'land.wildlife', drawing: wildlife },
    ],
  },
  {
    title: 'planters.title',
    benefits: [
      { key: 'planters.work', drawing: work },
      { key: 'planters.nursery', drawing: nursery },
      { key: 'planters.seeds', drawing: seeds },
    ],
  },
  {
    title: 'you.title',
    benefits: [
      { key: 'you.name', drawing: nameDrawing },
      { key: 'you.place', drawing: place },
      { key: 'you.photos', drawing: photos },
    ],
  },
] as const;

export function Benefits() {
  const { t } = useTranslation('landing');
  return (
    <section className={`container ${styles.benefits}`} aria-labelledby="benefits-title">
      <h2 id="benefits-title" className={`section-title ${styles.title}`}>
        {t('benefits.title')}
      </h2>
      {GROUPS.map(({ title, benefits }) => (
        <div key={title} className={styles.group}>
          <h3 className={styles.whom}>{t(`benefits.${title}`)}</h3>
          <ul className={styles.list}>
            {benefits.map(({ key, drawing }) => (
              <li key={key} className={styles.benefit}>
                <img src={drawing} width="168" height="132" alt="" loading="lazy" />
                <div>
                  <h4 className={styles.name}>{t(`benefits.${key}.title`)}</h4>
                  <p className="small quiet">{t(`benefits.${key}.text`)}</p>
                </div>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}
