import { type ReactNode, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonAnchor } from './Button.tsx';
import { ContourMap } from './ContourMap.tsx';
import { CopyButton } from './CopyButton.tsx';
import { type Fact, Facts } from './Facts.tsx';
import styles from './MapCard.module.css';
import { openOut } from './icons.ts';
import { type Coordinates, coordinatesText, embedAddress, mapAddress } from './map-address.ts';

/** Longest wait for the satellite picture before a notice appears, ms. */
const LOAD_TIMEOUT_MS = 15_000;

/** Kept when somebody asks for satellite pictures, so that no other map asks again. */
const CONSENT_KEY = 'arboleda.satellite';

type Satellite = 'not-asked' | 'loading' | 'shown' | 'offline' | 'nothing-came';

/** State of the satellite picture. Browsers do not report blocked frames, only load failures and missing networks. */
function useSatellite() {
  const [state, setState] = useState<Satellite>(() =>
    !hasConsent() ? 'not-asked' : navigator.onLine ? 'loading' : 'offline',
  );
  useEffect(() => {
    if (state !== 'loading') return;
    const offline = () => setState('offline');
    const timer = setTimeout(() => setState('nothing-came'), LOAD_TIMEOUT_MS);
    window.addEventListener('offline', offline);
    return () => {
      clearTimeout(timer);
      window.removeEventListener('offline', offline);
    };
  }, [state]);
  return {
    state,
    ask() {
      keepConsent(true);
      setState(navigator.onLine ? 'loading' : 'offline');
    },
    loaded: () => setState('shown'),
    putAway() {
      keepConsent(false);
      setState('not-asked');
    },
  };
}

function hasConsent(): boolean {
  try {
    return localStorage.getItem(CONSENT_KEY) !== null;
  } catch {
    return false;
  }
}

function keepConsent(given: boolean): void {
  try {
    if (given) localStorage.setItem(CONSENT_KEY, 'yes');
    else localStorage.removeItem(CONSENT_KEY);
  } catch {
    // Without storage, each map asks again.
  }
}

interface Props {
  coordinates: Coordinates;
  facts: readonly Fact[];
  children?: ReactNode;
}

const SENTENCE = {
  'not-asked': 'map.consent',
  offline: 'map.offline',
  'nothing-came': 'map.nothingCame',
} as const;

/**
 * Place of the trees: a drawing until the reader asks for satellite pictures, once for the whole site, since their
 * provider learns of the visit. On failure the drawing stays with a notice.
 */
export function MapCard({ coordinates, facts, children }: Props) {
  const { t } = useTranslation();
  const { state, ask, loaded, putAway } = useSatellite();
  const text = coordinatesText(coordinates);
  return (
    <div className={styles.card}>
      <div className={styles.sheet}>
        {/* Also below the satellite picture, because a blocked frame stays blank. */}
        <ContourMap className={styles.drawn} label={t('map.drawn')} />
        {state === 'loading' || state === 'shown' ? (
          <>
            <iframe
              className={styles.frame}
              src={embedAddress(coordinates)}
              title={t('map.satellite')}
              referrerPolicy="no-referrer"
              onLoad={loaded}
            />
            <p className={`least ${styles.below}`} role="status">
              {state === 'loading' ? t('map.loading') : t('map.shown')}
              <button type="button" className={styles.putAway} onClick={putAway}>
                {t('map.hide')}
              </button>
            </p>
          </>
        ) : (
          <p className={`least ${styles.below}`}>{t('map.notThisPlace')}</p>
        )}
      </div>
      <div className={styles.words}>
        {state !== 'loading' && state !== 'shown' && (
          <div className={styles.ask}>
            <p className="least" role="status">
              {t(SENTENCE[state])}
            </p>
            <Button onClick={ask}>{state === 'not-asked' ? t('map.show') : t('tryAgain')}</Button>
          </div>
        )}
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
