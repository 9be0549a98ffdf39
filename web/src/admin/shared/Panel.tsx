import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../api/problem.ts';
import nothing from '../../art/sp-seeds.svg';
import notLoaded from '../../art/sp-work.svg';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { EmptyState } from '../../design/components/EmptyState.tsx';
import { waitOf } from '../../session/problem-text.ts';
import styles from './shared.module.css';
import { TableSkeleton } from './Skeletons.tsx';
import { useAddress } from '../list/use-address.ts';

interface PanelProps {
  title: string;
  /** Localized count of entries. */
  count?: string | undefined;
  actions?: ReactNode;
  children: ReactNode;
}

export function Panel({ title, count, actions, children }: PanelProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={styles.panel}>
      <div className={styles.head}>
        <h2 id={id} className="sub-title">
          {title} {count !== undefined && <span className={styles.count}>{count}</span>}
        </h2>
        {actions}
      </div>
      {children}
    </section>
  );
}

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

type Changes = Record<string, string | null>;

interface Search {
  get(name: string): string | null;
  /** Changes search parameters; null removes one. `replace` adds no history entry. */
  set(changes: Changes, options?: { replace?: boolean }): void;
}

/** Filters and open dialogs live in the address, so they can be shared, reloaded and undone by going back. */
export function useSearch(): Search {
  const [search, setSearch] = useAddress();
  return {
    get: (name) => search.get(name),
    set: (changes, { replace = false } = {}) =>
      setSearch((current) => changed(current, changes), { replace }),
  };
}

function changed(current: URLSearchParams, changes: Changes): URLSearchParams {
  const next = new URLSearchParams(current);
  for (const [name, value] of Object.entries(changes))
    if (value) next.set(name, value);
    else next.delete(name);
  return next;
}

/** The choice named by the address; the first by default. */
export const choiceOf = <Choice extends string>(value: string | null, choices: readonly Choice[]): Choice =>
  choices.find((choice) => choice === value) ?? choices[0]!;

interface ChoicesProps<Name extends string> {
  label: string;
  choices: readonly { name: Name; text: ReactNode }[];
  chosen: Name;
  onChoose: (name: Name) => void;
}

export function Choices<Name extends string>({ label, choices, chosen, onChoose }: ChoicesProps<Name>) {
  return (
    <div role="group" aria-label={label} className={styles.choices}>
      {choices.map(({ name, text }) => (
        <button
          key={name}
          type="button"
          className={styles.choice}
          aria-pressed={name === chosen}
          onClick={() => onChoose(name)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
