import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { Skeleton } from '../design/components/Skeleton.tsx';
import { useProblemText } from '../session/problem-text.ts';
import styles from './account.module.css';

interface Preferences {
  news: boolean;
}

interface Props {
  /** The link's token or the account's id. */
  of: string;
  read: (signal: AbortSignal) => Promise<Preferences>;
  save: (preferences: Preferences) => Promise<Preferences>;
  /** The sentence for a failure that trying again does not mend. */
  refusal?: (error: unknown) => string | undefined;
}

/** The choice between news of photos and none, saved when it is made. */
export function NewsChoice({ of, read, save, refusal }: Props) {
  const { t } = useTranslation('account');
  const { t: common } = useTranslation();
  const queryClient = useQueryClient();
  const problemText = useProblemText();
  const id = useId();
  const queryKey = ['mail-preferences', of];
  const { data, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => read(signal) });
  // Shows the choice immediately and reverts it when saving fails.
  const [chosen, setChosen] = useState<boolean>();
  const choosing = useMutation({
    mutationFn: (news: boolean) => save({ news }),
    onSuccess: (kept) => queryClient.setQueryData(queryKey, kept),
    onSettled: () => setChosen(undefined),
  });
  if (error && !data) {
    const refused = refusal?.(error);
    return refused ? (
      <Alert kind="wrong">{refused}</Alert>
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
