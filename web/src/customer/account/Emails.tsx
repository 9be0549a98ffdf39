import { useTranslation } from 'react-i18next';
import { NewsChoice } from '../../account/NewsChoice.tsx';
import type { OpenSession } from '../../portal/Gate.tsx';
import { Section } from './Section.tsx';

/** News of photos can be switched off; emails about money, trees and the account cannot. */
export function Emails({ session: { call, person } }: { session: OpenSession<'customer'> }) {
  const { t } = useTranslation('account');
  return (
    <Section title={t('emails.title')} text={t('emails.text')}>
      {person.emailVerified ? (
        <NewsChoice
          of={person.id}
          read={(signal) => call('GET /api/customers/mail-preferences', { signal })}
          save={(body) => call('PUT /api/customers/mail-preferences', { body })}
        />
      ) : (
        <p>{t('emails.verifyFirst', { email: person.email })}</p>
      )}
    </Section>
  );
}
