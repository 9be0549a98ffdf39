import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { checkCircle, crosshair, mapPin, warning } from '../../design/components/icons.ts';
import { coordinatesText } from '../../design/components/map-address.ts';
import { useFormats } from '../../i18n/format.ts';
import styles from '../PlantForm.module.css';
import { GOOD_METRES, type Locating } from './locating.ts';

/** State of the GPS and accuracy of its fix. */
export function GpsState({ locating, onStart }: { locating: Locating; onStart: () => void }) {
  const { t } = useTranslation('worker');
  const { step } = locating;
  return (
    <div className={styles.gps}>
      <div role="status">
        <Words locating={locating} />
      </div>
      {step !== 'searching' && (
        <Button wide icon={crosshair} onClick={onStart}>
          {t(step === 'idle' ? 'plant.gps' : 'plant.gpsAgain')}
        </Button>
      )}
    </div>
  );
}

function Words({ locating }: { locating: Locating }) {
  const { t } = useTranslation('worker');
  const formats = useFormats();
  const metres = (accuracyMetres: number) => ({ metres: formats.number(Math.round(accuracyMetres)) });
  switch (locating.step) {
    case 'idle':
      return null;
    case 'searching':
      return (
        <p className={styles.state}>
          <Icon of={crosshair} />
          {locating.best ? t('plant.improving', metres(locating.best.accuracyMetres)) : t('plant.searching')}
        </p>
      );
    case 'found':
      return (
        <p className={`${styles.state} ${styles.found}`}>
          <Icon of={locating.fix.accuracyMetres <= GOOD_METRES ? checkCircle : mapPin} />
          <span>
            <strong>{t('plant.found', metres(locating.fix.accuracyMetres))}</strong>
            <br />
            <span className="tabular">{coordinatesText(locating.fix)}</span>
          </span>
        </p>
      );
    case 'failed':
      return (
        <p className={`${styles.state} ${styles.failed}`}>
          <Icon of={warning} />
          {t(`plant.${locating.why}`)}
        </p>
      );
  }
}
