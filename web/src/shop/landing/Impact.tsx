import type { Claim as ClaimName } from '@arboleda/contracts/claims.ts';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useTreesPlanted } from '../../api/stats.ts';
import { impact, impactPhone } from '../../art/scenes.ts';
import { Claim } from '../../content/Claim.tsx';
import { Picture } from '../../design/components/Picture.tsx';
import { useFormats } from '../../i18n/format.ts';
import { Live } from '../first/Live.tsx';
import { treeValues } from './live-values.ts';
import styles from './Impact.module.css';

/** Fixed figures of the organization: product spec section 9. */
const CO2_TONS = 25_000;
const SPECIES = '150+';

const EACH = ['co2', 'water', 'habitat'] as const;
const OPEN = ['place', 'person', 'history'] as const;

export function Impact() {
  const { t } = useTranslation('landing');
  const formats = useFormats();
  const values = treeValues(useTreesPlanted());
  const figures = [
    { claim: undefined, label: t('impact.trees'), figure: <Live name="trees">{values.trees}</Live> },
    {
      claim: 'hectares',
      label: t('impact.hectares'),
      figure: <Live name="hectares">{values.hectares}</Live>,
    },
    { claim: 'co2', label: t('impact.co2'), figure: formats.number(CO2_TONS) },
    { claim: undefined, label: t('impact.species'), figure: SPECIES },
  ] as const;
  return (
    <section className={`on-forest ${styles.impact}`} aria-labelledby="impact-title">
      <div className="container">
        <h2 id="impact-title" className="section-title">
          {t('impact.title')}
        </h2>
        <dl className={styles.figures}>
          {figures.map(({ claim, label, figure }) => (
            <Maybe key={label} claim={claim}>
              <div className={styles.cell}>
                <dt>{label}</dt>
                <dd className={`figure ${styles.figure}`}>{figure}</dd>
              </div>
            </Maybe>
          ))}
        </dl>
        <div className={styles.lists}>
          <div>
            <h3 className="sub-title">{t('impact.each.title')}</h3>
            <dl className={styles.rows}>
              {EACH.map((key) => (
                <Maybe key={key} claim={key === 'co2' ? key : undefined}>
                  <div className={styles.each}>
                    <dt className={`figure ${styles.small}`}>{t(`impact.each.${key}.figure`)}</dt>
                    <dd>{t(`impact.each.${key}.text`)}</dd>
                  </div>
                </Maybe>
              ))}
            </dl>
            <Link className="small" to="/help#claims">
              {t('impact.sources')}
            </Link>
          </div>
          <div>
            <h3 className="sub-title">{t('impact.open.title')}</h3>
            <dl className={styles.rows}>
              {OPEN.map((key) => (
                <div key={key} className={styles.open}>
                  <dt>{t(`impact.open.${key}.title`)}</dt>
                  <dd className="small quiet">{t(`impact.open.${key}.text`)}</dd>
                </div>
              ))}
            </dl>
          </div>
        </div>
      </div>
      <Picture
        className={styles.scene}
        scene={impact}
        phone={{ scene: impactPhone, upTo: 639 }}
        alt=""
        sizes="(max-width: 1920px) 100vw, 1920px"
      />
    </section>
  );
}

function Maybe({ claim, children }: { claim: ClaimName | undefined; children: ReactNode }) {
  return claim ? <Claim of={claim}>{children}</Claim> : children;
}
