import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { useDynamicPrice } from '../../api/dynamic-price.ts';
import { useTreesPlanted } from '../../api/stats.ts';
import { offer, offerPhone } from '../../art/scenes.ts';
import { Claim } from '../../content/Claim.tsx';
import { ButtonLink } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { check, gift, sealPercent } from '../../design/components/icons.ts';
import { MoneyFigure } from '../../design/components/Money.tsx';
import { Picture } from '../../design/components/Picture.tsx';
import { formatsOf } from '../../i18n/format.ts';
import { Countdown } from './Countdown.tsx';
import { Live, LIVE_MARK, LiveSentence } from '../first/Live.tsx';
import { type LiveName, priceValues, treeValues } from './live-values.ts';
import styles from './Offer.module.css';

/** Product spec section 9. */
const SAVED_SHARE = 0.67;

const GETS = ['offer.get1', 'offer.get2', 'offer.get3', 'offer.get4', 'offer.get5'] as const;

/** The offer of the product spec, or one price and what it pays for where the organization makes no offer. */
export function Offer() {
  return (
    <Claim of="offer" otherwise={<Plain />}>
      <Reduced />
    </Claim>
  );
}

function Reduced() {
  const { t, i18n } = useTranslation('landing');
  const formats = formatsOf(i18n.language);
  const { trees } = treeValues(useTreesPlanted());
  const prices = priceValues(useDynamicPrice(), formats);
  const badge = (
    <p className={styles.badge}>
      <Icon of={sealPercent} />
      {t('offer.badge', { share: formats.percent(SAVED_SHARE) })}
    </p>
  );
  return (
    <Frame
      badge={badge}
      price={
        <>
          <OldPrice label={t('offer.regular')} was={t('offer.was')} name="regular" price={prices.regular} />
          <OldPrice
            label={t('offer.discount')}
            was={t('offer.was')}
            name="discount"
            price={prices.discount}
          />
          <Price prices={prices}>
            <strong className={styles.today}>{t('offer.today')}</strong> {t('offer.perTree')}
          </Price>
        </>
      }
    >
      <Countdown />
      <p className={`small quiet ${styles.supporters}`}>
        <LiveSentence name="trees" sentence={t('offer.supporters', { trees: LIVE_MARK })} value={trees} />
      </p>
    </Frame>
  );
}

function Plain() {
  const { t, i18n } = useTranslation('landing');
  const prices = priceValues(useDynamicPrice(), formatsOf(i18n.language));
  return (
    <Frame
      price={
        <Price prices={prices}>
          <strong className={styles.today}>{t('offer.onePrice')}</strong>
        </Price>
      }
    >
      <h3 className={styles.getTitle}>{t('offer.moneyTitle')}</h3>
      <p>{t('offer.money')}</p>
    </Frame>
  );
}

function Frame({ badge, price, children }: { badge?: ReactNode; price: ReactNode; children: ReactNode }) {
  const { t } = useTranslation('landing');
  return (
    <section id="contribute" className={styles.offer} aria-labelledby="offer-title">
      <div className={`container ${styles.frame}`}>
        <div className={styles.card}>
          <div className={styles.plate}>
            <p className={styles.species}>{t('offer.species')}</p>
            <p className={styles.latin} lang="la">
              <i>Handroanthus chrysanthus</i>
            </p>
            <Picture
              className={styles.scene}
              scene={offer}
              phone={{ scene: offerPhone, upTo: 799 }}
              alt=""
              sizes="(max-width: 799px) 100vw, 440px"
            />
          </div>
          <div className={styles.words}>
            {badge}
            <h2 id="offer-title" className={styles.title}>
              {t('offer.title')}
            </h2>
            <dl className={styles.prices}>{price}</dl>
            <h3 className={styles.getTitle}>{t('offer.getTitle')}</h3>
            <ul className={styles.gets}>
              {GETS.map((key) => (
                <li key={key}>
                  <Icon of={check} />
                  {t(key)}
                </li>
              ))}
            </ul>
            <ButtonLink to="/plant-trees" look="accent" size="large" wide>
              {t('offer.plant')}
            </ButtonLink>
            <p className={styles.gift}>
              <Link to="/plant-trees?gift">
                <Icon of={gift} />
                {t('offer.gift')}
              </Link>
            </p>
            {children}
          </div>
        </div>
      </div>
    </section>
  );
}

function Price({ prices, children }: { prices: ReturnType<typeof priceValues>; children: ReactNode }) {
  return (
    <div className={styles.price}>
      <dt>{children}</dt>
      <dd className={styles.now}>
        <MoneyFigure
          code={<Live name="priceCode">{prices.priceCode}</Live>}
          figure={<Live name="priceFigure">{prices.priceFigure}</Live>}
          size="inherit"
        />
      </dd>
    </div>
  );
}

function OldPrice(props: { label: string; was: string; name: LiveName; price: string }) {
  const { label, was, name, price } = props;
  return (
    <div className={styles.price}>
      <dt>{label}</dt>
      <dd>
        <span className="visually-hidden">{was} </span>
        <s>
          <Live name={name}>{price}</Live>
        </s>
      </dd>
    </div>
  );
}
