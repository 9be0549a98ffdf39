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
  empty?: { title: string; text: string; action?: ReactNode } | undefined;
  /** Texts of a failure; general ones by default. */
  words?: { failed: string; failedText: string; stale: string };
  children: ReactNode;
}

/** States of a list: loading, failed, stale, empty or loaded. */
export function ListState({ query, loading, skeleton, empty, words, children }: ListStateProps) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const tryAgain = <Button onClick={() => void query.refetch()}>{common('tryAgain')}</Button>;
  if (query.isPending) return skeleton ?? <TableSkeleton label={loading} />;
  if (query.data === undefined)
    return (
      <div role="alert">
        <EmptyState drawing={notLoaded} title={words?.failed ?? t('list.failed')} action={tryAgain}>
          {words?.failedText ?? t('list.failedText')} <WhenToTryAgain error={query.error} />
        </EmptyState>
      </div>
    );
  return (
    <>
      {query.isError && (
        <Alert kind="offline" action={tryAgain}>
          {words?.stale ?? t('list.stale')} <WhenToTryAgain error={query.error} />
        </Alert>
      )}
      {empty ? (
        <EmptyState drawing={nothing} title={empty.title} action={empty.action}>
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
