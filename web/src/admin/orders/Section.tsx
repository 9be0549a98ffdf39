import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Skeleton } from '../../design/components/Skeleton.tsx';
import styles from './Section.module.css';

interface Props {
  title: string;
  action?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}

export function Section({ title, action, wide = false, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={wide ? styles.wide : ''}>
      <div className={styles.head}>
        <h3 id={id} className={styles.title}>
          {title}
        </h3>
        {action}
      </div>
      {children}
    </section>
  );
}

interface Asked<Data> {
  data: Data | undefined;
  error: unknown;
  isPending: boolean;
  refetch: () => unknown;
}

/** Content of another service, with its own loading and error states. */
export function Loaded<Data>({
  query,
  missing,
  children,
}: {
  query: Asked<Data>;
  missing?: string;
  children: (data: Data) => ReactNode;
}) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  if (query.data !== undefined) return children(query.data);
  if (query.isPending) return <Skeleton label={common('loading')} lines={2} />;
  if (missing && isProblem(query.error, 'not-found')) return <p className="quiet">{missing}</p>;
  return (
    <Alert
      kind="wrong"
      action={
        <Button size="small" onClick={() => void query.refetch()}>
          {common('tryAgain')}
        </Button>
      }
    >
      {t('details.partFailed')}
    </Alert>
  );
}
