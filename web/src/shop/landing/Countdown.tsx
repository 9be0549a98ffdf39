import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import { Live } from '../first/Live.tsx';
import { clockValues } from './live-values.ts';
import styles from './Offer.module.css';

const PARTS = ['hours', 'minutes', 'seconds'] as const;

/** Today's date and the remaining time, ticking each second but silent for screen readers. */
export function Countdown() {
  const { t } = useTranslation('landing');
  const formats = useFormats();
  const values = clockValues(useEverySecond(), formats);
  return (
    <div className={styles.countdown}>
      <div>
        <p className="small">{t('offer.left')}</p>
        <p className="small quiet">
          <Live name="date">{values.date}</Live>
        </p>
      </div>
      <div className={styles.clock} role="timer" aria-live="off">
        {PARTS.map((part) => (
          <div key={part}>
            <span className={`figure ${styles.digits}`}>
              <Live name={part}>{values[part]}</Live>
            </span>
            <span className="least quiet">{t(`offer.${part}`)}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The visitor's clock; undefined while prerendering. */
function useEverySecond(): Date | undefined {
  const [now, setNow] = useState<Date>();
  useEffect(() => {
    const tick = () => setNow(new Date());
    const first = setTimeout(tick);
    const timer = setInterval(tick, 1000);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, []);
  return now;
}
