import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonAnchor } from './Button.tsx';
import { ContourMap } from './ContourMap.tsx';
import { CopyButton } from './CopyButton.tsx';
import { Facts, type Fact } from './Facts.tsx';
import { openOut } from './icons.ts';
import { coordinatesText, embedAddress, mapAddress, type Coordinates } from './map-address.ts';
import styles from './MapCard.module.css';

interface Props {
  coordinates: Coordinates;
  /** What is known of the place, beside the map. */
  facts: readonly Fact[];
  children?: ReactNode;
}

/**
 * Where the trees are: a drawn sheet until the reader asks for the satellite picture, because that one comes from
 * another company, which then learns of the visit.
 */
export function MapCard({ coordinates, facts, children }: Props) {
  const { t } = useTranslation();
  const [wanted, setWanted] = useState(false);
  const text = coordinatesText(coordinates);
  return (
    <div className={styles.card}>
      <div className={styles.sheet}>
        {wanted ? (
          <iframe
            className={styles.frame}
            src={embedAddress(coordinates)}
            title={t('map.satellite')}
            loading="lazy"
            referrerPolicy="no-referrer"
          />
        ) : (
          <>
            <ContourMap className={styles.drawn} label={t('map.drawn')} />
            <div className={styles.ask}>
              <p className="least">{t('map.consent')}</p>
              <Button onClick={() => setWanted(true)}>{t('map.show')}</Button>
            </div>
          </>
        )}
      </div>
      <div className={styles.words}>
        {children}
        <Facts labels="above" rows={[...facts, { label: t('map.coordinates'), value: text }]} />
        <div className={styles.actions}>
          <ButtonAnchor
            icon={openOut}
            href={mapAddress(coordinates)}
            target="_blank"
            rel="noopener noreferrer"
          >
            {t('map.open')}
          </ButtonAnchor>
          <CopyButton text={text} label={t('map.copy')} wordless />
        </div>
      </div>
    </div>
  );
}
