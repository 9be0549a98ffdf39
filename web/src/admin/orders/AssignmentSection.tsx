import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { AssignForm } from './AssignForm.tsx';
import type { AskedAssignment, Assignment } from './assignment.ts';
import type { OrderDetails } from './orders.ts';
import { Loaded, Section } from './Section.tsx';
import styles from './parts.module.css';

interface Props {
  call: PortalCall;
  order: OrderDetails;
  assignment: AskedAssignment;
  /** The worker as the order knows it. */
  children: ReactNode;
}

/** Current and earlier workers, with the reassignment form. */
export function AssignmentSection({ call, order, assignment, children }: Props) {
  const { t } = useTranslation('admin');
  const [choosing, setChoosing] = useState(false);
  const [overTrees, setOverTrees] = useState<number>();
  const formats = useFormats();
  const may = assignment.data && !assignment.data.isWithdrawn && order.status !== 'completed';
  return (
    <Section
      title={t('details.worker')}
      action={
        may &&
        !choosing && (
          <Button
            size="small"
            look="text"
            onClick={() => {
              setOverTrees(undefined);
              setChoosing(true);
            }}
          >
            {assignment.data?.worker ? t('assign.reassign') : t('assign.assign')}
          </Button>
        )
      }
    >
      {children}
      {overTrees !== undefined && (
        <Alert kind="good">
          {overTrees > 0 ? t('assign.over', { trees: formats.number(overTrees) }) : t('assign.done')}
        </Alert>
      )}
      <Loaded query={assignment} missing={t('assign.none')}>
        {(known) => (
          <>
            {choosing && (
              <AssignForm
                call={call}
                assignment={known}
                onDone={(over) => {
                  setChoosing(false);
                  setOverTrees(over);
                }}
                onCancel={() => setChoosing(false)}
              />
            )}
            <Former assignment={known} />
          </>
        )}
      </Loaded>
    </Section>
  );
}

/** Earlier assignments, if there was more than one. */
function Former({ assignment: { history } }: { assignment: Assignment }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  if (history.length < 2) return null;
  return (
    <details className={styles.more}>
      <summary>{t('assign.history')}</summary>
      <ul>
        {history.map(({ at, worker, by, reason }) => (
          <li key={at} className={styles.line}>
            <p>
              <strong>{worker ? `${worker.name} · ${worker.code}` : t('details.unassigned')}</strong>
            </p>
            <p className="quiet">
              {formats.day(at)}, {formats.time(at)} ·{' '}
              {by.name ? t(`by.${by.role}`, { name: by.name }) : t('by.system')}
            </p>
            {reason && <p>{reason}</p>}
          </li>
        ))}
      </ul>
    </details>
  );
}
