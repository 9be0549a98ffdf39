import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { isProblem } from '../api/problem.ts';
import { Alert } from '../design/components/Alert.tsx';
import { AccountScreen } from './AccountScreen.tsx';
import { NewsChoice } from './NewsChoice.tsx';
import { useMailedLink } from './link.ts';

/** `/mail-preferences#token=…`: whether an address receives news of photos. */
export function MailPreferencesPage() {
  const { t } = useTranslation('account');
  const token = useMailedLink().get('token') ?? '';
  const params = { token };
  return (
    <AccountScreen title={t('mail.title')} lead={t('mail.lead')}>
      {token ? (
        <NewsChoice
          key={token}
          of={token}
          read={(signal) => call('GET /api/mail/preferences/{token}', { params, signal })}
          save={(body) => call('PUT /api/mail/preferences/{token}', { params, body })}
          refusal={(error) =>
            isProblem(error, 'not-found') || isProblem(error, 'validation-failed')
              ? t('mail.linkInvalid')
              : undefined
          }
        />
      ) : (
        <Alert kind="wrong">{t('mail.linkInvalid')}</Alert>
      )}
    </AccountScreen>
  );
}
