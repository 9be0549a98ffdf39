import { useTranslation } from 'react-i18next';
import { useDynamicPrice } from '../../api/dynamic-price.ts';
import { useTreesPlanted } from '../../api/stats.ts';
import { hero, heroPhone } from '../../art/scenes.ts';
import { Claim } from '../../content/Claim.tsx';
import { ButtonAnchor, ButtonLink } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { arrowDown } from '../../design/components/icons.ts';
import { Picture } from '../../design/components/Picture.tsx';
import { useFormats } from '../../i18n/format.ts';
import { WithSpecies } from '../../design/components/WithSpecies.tsx';
import { Live, LIVE_MARK, LiveSentence } from '../first/Live.tsx';
import { priceValues, treeValues, WANTED, whyDollars } from './live-values.ts';
import styles from './Hero.module.css';

/** `isBelow`: under a page's own heading, away from the rest of the landing page. */
export function Hero({ isBelow = false }: { isBelow?: boolean }) {
  const Heading = isBelow ? 'h2' : 'h1';
  const { t } = useTranslation('landing');
  const values = treeValues(useTreesPlanted());
  const price = useDynamicPrice();
  const formats = useFormats();
  const why = t('hero.dollars', { wanted: WANTED });
  return (
    <section id="home" className={styles.hero}>
      <div className={`container ${styles.words}`}>
        <Heading className={`display ${styles.title}`}>{t('hero.title')}</Heading>
        <p className={`lead ${styles.text}`}>{t('hero.text')}</p>
        <div className={styles.actions}>
          <ButtonLink to="/plant-trees" look="accent" size="large">
            {t('hero.plant')}
          </ButtonLink>
          <ButtonAnchor href={isBelow ? '/#about' : '#about'} look="text" className={styles.more}>
            {t('hero.about')}
          </ButtonAnchor>
          <Icon of={arrowDown} className={styles.arrow} />
        </div>
        <p className={`small quiet ${styles.from}`}>
          <LiveSentence
            name="price"
            sentence={t('hero.from', { price: LIVE_MARK })}
            value={priceValues(price, formats).price}
          />{' '}
          <span data-live="why" data-sentence={why} suppressHydrationWarning>
            {whyDollars(price, why, formats)}
          </span>
        </p>
        <dl className={styles.counters}>
          <div>
            <dt>{t('hero.trees')}</dt>
            <dd className={`figure ${styles.figure}`}>
              <Live name="trees">{values.trees}</Live>
            </dd>
          </div>
          <Claim of="hectares">
            <div>
              <dt>{t('hero.hectares')}</dt>
              <dd className={`figure ${styles.figure}`}>
                <Live name="hectares">{values.hectares}</Live>
              </dd>
            </div>
          </Claim>
        </dl>
      </div>
      <Picture
        className={styles.scene}
        scene={hero}
        phone={{ scene: heroPhone, upTo: 639 }}
        alt=""
        sizes="(max-width: 1600px) 100vw, 1600px"
        first
      />
      <div className={styles.ground}>
        <div className={`container on-forest ${styles.facts}`}>
          <p className={`small ${styles.caption}`}>
            <WithSpecies text={t('hero.caption')} />
          </p>
        </div>
      </div>
    </section>
  );
}
