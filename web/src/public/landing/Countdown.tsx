import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../i18n/format.ts';
import { timeLeftToday, type TimeLeft } from './counters.ts';
import styles from './Offer.module.css';

const PARTS = ['hours', 'minutes', 'seconds'] as const;

/** Today's date and what is left of it, by the second for the eye and silent for a screen reader. */
export function Countdown() {
  const { t } = useTranslation('landing');
  const formats = useFormats();
  const now = useEverySecond();
  const left: TimeLeft | undefined = now && timeLeftToday(now);
  return (
    <div className={styles.countdown}>
      <div>
        <p className="small">{t('offer.left')}</p>
        <p className="small quiet">{now ? formats.fullDate(now) : '…'}</p>
      </div>
      <div className={styles.clock} role="timer" aria-live="off">
        {PARTS.map((part) => (
          <div key={part}>
            <span className={`figure ${styles.digits}`}>
              {left ? String(left[part]).padStart(2, '0') : '··'}
            </span>
            <span className="least quiet">{t(`offer.${part}`)}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

/** The visitor's clock, from the first moment in their browser: a page made ahead of time knows no today. */
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
