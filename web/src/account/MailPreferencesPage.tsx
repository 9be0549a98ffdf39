import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../api/client.ts';
import { isProblem } from '../api/problem.ts';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { useProblemText } from '../session/problem-text.ts';
import styles from './account.module.css';
import { AccountScreen } from './AccountScreen.tsx';
import { useMailedLink } from './link.ts';

/** `/mail-preferences#token=…`: whether an address receives news of photos. */
export function MailPreferencesPage() {
  const { t } = useTranslation('account');
  const token = useMailedLink().get('token') ?? '';
  return (
    <AccountScreen title={t('mail.title')} lead={t('mail.lead')}>
      {token ? (
        <Preferences key={token} token={token} />
      ) : (
        <Alert kind="wrong">{t('mail.linkInvalid')}</Alert>
      )}
    </AccountScreen>
  );
}

function Preferences({ token }: { token: string }) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const queryClient = useQueryClient();
  const problemText = useProblemText();
  const id = useId();
  const queryKey = ['mail-preferences', token];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call('GET /api/mail/preferences/{token}', { params: { token }, signal }),
  });
  // Shows the choice immediately and reverts it when saving fails.
  const [chosen, setChosen] = useState<boolean>();
  const choosing = useMutation({
    mutationFn: (news: boolean) =>
      call('PUT /api/mail/preferences/{token}', { params: { token }, body: { news } }),
    onSuccess: (kept) => queryClient.setQueryData(queryKey, kept),
    onSettled: () => setChosen(undefined),
  });
  if (error && !data) {
    const isUnknown = isProblem(error, 'not-found') || isProblem(error, 'validation-failed');
    return isUnknown ? (
      <Alert kind="wrong">{t('mail.linkInvalid')}</Alert>
    ) : (
      <Alert kind="offline" action={<Button onClick={() => void refetch()}>{common('tryAgain')}</Button>}>
        {t('mail.notLoaded')}
      </Alert>
    );
  }
  if (!data) return <Skeleton label={common('loading')} lines={2} />;
  const news = chosen ?? data.news;
  return (
    <div className={styles.said}>
      <div className={styles.choice}>
        <input
          id={id}
          type="checkbox"
          checked={news}
          aria-describedby={`${id}-hint`}
          onChange={({ target }) => {
            setChosen(target.checked);
            choosing.mutate(target.checked);
          }}
        />
        <div>
          <label htmlFor={id}>{t('mail.news')}</label>
          <p id={`${id}-hint`} className="small quiet">
            {t('mail.newsHint')}
          </p>
        </div>
      </div>
      {choosing.isSuccess && <Alert kind="good">{t(news ? 'mail.on' : 'mail.off')}</Alert>}
      {choosing.isError && (
        <Alert kind="wrong">
          {problemText(choosing.error, { failed: t('mail.failed'), network: t('network') })}
        </Alert>
      )}
    </div>
  );
}
