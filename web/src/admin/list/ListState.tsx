import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../api/problem.ts';
import nothing from '../../art/sp-seeds.svg';
import notLoaded from '../../art/sp-work.svg';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { EmptyState } from '../../design/components/EmptyState.tsx';
import { waitOf } from '../../session/problem-text.ts';
import { TableSkeleton } from '../shared/Skeletons.tsx';

interface ListStateProps {
  query: { isPending: boolean; isError: boolean; error: unknown; data: unknown; refetch: () => unknown };
  loading: string;
  /** In the shape of the entries; of a table by default. */
  skeleton?: ReactNode;
  /** Undefined when there are entries. */
  empty?: { title: string; text: string } | undefined;
  children: ReactNode;
}

/** States of a list: loading, failed, stale, empty or loaded. */
export function ListState({ query, loading, skeleton, empty, children }: ListStateProps) {
  const { t } = useTranslation('panels');
  const { t: common } = useTranslation();
  const tryAgain = <Button onClick={() => void query.refetch()}>{common('tryAgain')}</Button>;
  if (query.isPending) return skeleton ?? <TableSkeleton label={loading} />;
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

/** The server's Retry-After; nothing without one. */
function WhenToTryAgain({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!(error instanceof ApiProblem) || !error.retryAfterSeconds) return null;
  const { unit, count } = waitOf(error.retryAfterSeconds);
  return t(`tryAgainIn.${unit}`, { count });
}
