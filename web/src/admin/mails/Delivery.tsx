import { useTranslation } from 'react-i18next';
import { Icon } from '../../design/components/Icon.tsx';
import { check, close, hourglass, warning } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import desk from '../desk/desk.module.css';
import type { Mail, MailState } from './mails.ts';

const LOOK: Record<MailState, { icon: typeof check; tone: 'leaf' | 'brick' | 'pending' | 'plain' }> = {
  waiting: { icon: hourglass, tone: 'pending' },
  sent: { icon: check, tone: 'leaf' },
  refused: { icon: warning, tone: 'brick' },
  bounced: { icon: warning, tone: 'brick' },
  pointless: { icon: close, tone: 'plain' },
};

/** Whether a mail got there, and what its server said. */
export function Delivery({ mail: { state, error, attempts, addressFailedAt } }: { mail: Mail }) {
  const { t } = useTranslation('desk');
  const formats = useFormats();
  const { icon, tone } = LOOK[state];
  return (
    <span>
      <span className={`${desk.mark} ${tone === 'plain' ? '' : desk[tone]}`}>
        <Icon of={icon} size="small" />
        {t(`mails.states.${state}`)}
      </span>
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
          <span className={desk.brick}>
            {t('mails.addressFailed', { day: formats.day(addressFailedAt) })}
          </span>
        </>
      )}
    </span>
  );
}
