import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import nothing from '../../art/sp-seeds.svg';
import notLoaded from '../../art/sp-work.svg';
import { ApiProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { EmptyState } from '../../design/components/EmptyState.tsx';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import { waitOf } from '../../session/problem-text.ts';

interface Props {
  query: { isPending: boolean; isError: boolean; error: unknown; data: unknown; refetch: () => unknown };
  /** What is on its way. */
  loading: string;
  /** Undefined while there is something to show. */
  empty?: { title: string; text: string } | undefined;
  children: ReactNode;
}

/** What stands around a list: on its way, not to be had, as it was last known, empty, or there. */
export function ListState({ query, loading, empty, children }: Props) {
  const { t } = useTranslation('desk');
  const { t: common } = useTranslation();
  const tryAgain = <Button onClick={() => void query.refetch()}>{common('tryAgain')}</Button>;
  if (query.isPending) return <Skeleton label={loading} lines={6} />;
  if (query.data === undefined)
    return (
      <div role="alert">
        <EmptyState drawing={notLoaded} title={t('list.failed')} action={tryAgain}>
          {t('list.failedText')} <WhenToTryAgain error={query.error} />
        </EmptyState>
      </div>
    );
  return (
    <>
      {query.isError && (
        <Alert kind="offline" action={tryAgain}>
          {t('list.stale')} <WhenToTryAgain error={query.error} />
        </Alert>
      )}
      {empty ? (
        <EmptyState drawing={nothing} title={empty.title}>
          {empty.text}
        </EmptyState>
      ) : (
        children
      )}
    </>
  );
}

/** As the server said; nothing where it did not. */
function WhenToTryAgain({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiProblem) || !error.retryAfterSeconds) return null;
  const { unit, count } = waitOf(error.retryAfterSeconds);
  return t(`tryAgainIn.${unit}`, { count });
}
