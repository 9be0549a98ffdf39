import { useTranslation } from 'react-i18next';
import { check, close, hourglass, type Outline, warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { Mark, type Tone } from '../shared/Mark.tsx';
import shared from '../shared/shared.module.css';
import type { Mail } from './mails.ts';

const LOOK: Record<Mail['state'], { icon: Outline; tone: Tone }> = {
  waiting: { icon: hourglass, tone: 'pending' },
  sent: { icon: check, tone: 'leaf' },
  refused: { icon: warning, tone: 'brick' },
  bounced: { icon: warning, tone: 'brick' },
  pointless: { icon: close, tone: 'plain' },
};

/** Whether an email arrived, and why not. */
export function Delivery({ mail: { state, error, attempts, addressFailedAt } }: { mail: Mail }) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  return (
    <span>
      <Mark {...LOOK[state]}>{t(`mails.states.${state}`)}</Mark>
      {attempts > 1 && <span className="quiet"> {t('mails.attempts', { count: attempts })}</span>}
      {error && (
        <>
          <br />
          <span className="quiet">{error}</span>
        </>
      )}
      {addressFailedAt && (
        <>
          <br />
          <span className={shared.brick}>
            {t('mails.addressFailed', { day: formats.day(addressFailedAt) })}
          </span>
        </>
      )}
    </span>
  );
}
