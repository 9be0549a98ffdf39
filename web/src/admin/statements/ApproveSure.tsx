import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { useOnce } from '../shared/files.tsx';
import styles from './Statements.module.css';
import { type ApprovalResult, type Row, useApproval, useRefusal } from './statements.ts';

interface Props {
  call: PortalCall;
  /** The sure rows that are listed; only these are approved. */
  rows: readonly Row[];
  /** All sure rows, also those of other pages. */
  all: number;
}

/** Approves what is sure with one confirmation that lists it. */
export function ApproveSure({ call, rows, all }: Props) {
  const { t } = useTranslation('statements');
  const formats = useFormats();
  const { refusal } = useRefusal();
  const approval = useApproval(call);
  const send = useOnce(approval);
  /** The rows as they were when the admin asked, so that what is confirmed is what was listed. */
  const [asked, setAsked] = useState<readonly Row[]>();
  const [done, setDone] = useState<{ rows: readonly Row[]; results: ApprovalResult[] }>();
  return (
    <>
      {done && <Results {...done} />}
      {rows.length > 0 && (
        <div className={styles.approve}>
          <Button
            look="accent"
            onClick={() => {
              approval.reset();
              setAsked(rows);
            }}
          >
            {t('approve.all', { count: rows.length })}
          </Button>
          {all > rows.length && (
            <p className="small quiet">
              {t('approve.part', { shown: formats.number(rows.length), all: formats.number(all) })}
            </p>
          )}
        </div>
      )}
      <ConfirmDialog
        open={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('approve.title', { count: asked?.length ?? 0 })}
        confirm={t('approve.confirm', { count: asked?.length ?? 0 })}
        working={
          approval.isPending &&
          t('approve.working', {
            answered: formats.number(approval.answered),
            all: formats.number(asked?.length ?? 0),
          })
        }
        error={approval.isError && refusal(approval.error)}
        onConfirm={() =>
          asked &&
          send(asked, {
            onSuccess: (results) => {
              setDone({ rows: asked, results });
              setAsked(undefined);
            },
          })
        }
      >
        <p>{t('approve.text', { count: asked?.length ?? 0 })}</p>
        {/* A list that scrolls must be reachable by keyboard. */}
        <ul className={styles.lines} tabIndex={0} aria-label={t('approve.list')}>
          {asked?.map(({ rowId, day, amount, currency, orders }) => (
            <li key={rowId} className={styles.line}>
              <span>
                <strong className="tabular">{orders[0]?.shortId}</strong> {orders[0]?.customerName}
              </span>
              <span className="quiet">{formats.calendarDay(day)}</span>
              <span className="tabular">{formats.money(amount, currency)}</span>
            </li>
          ))}
        </ul>
      </ConfirmDialog>
    </>
  );
}

function Results({ rows, results }: { rows: readonly Row[]; results: readonly ApprovalResult[] }) {
  const { t } = useTranslation('statements');
  const { sentenceOf } = useRefusal();
  const of = (outcome: ApprovalResult['outcome']) => results.filter((one) => one.outcome === outcome);
  const approved = of('approved').length;
  const halves = of('first-approved').length;
  const refused = of('refused');
  const orderOf = (orderId: string) =>
    rows.flatMap(({ orders }) => orders).find((order) => order.orderId === orderId)?.shortId ?? orderId;
  return (
    <Alert kind={refused.length > 0 ? 'note' : 'good'}>
      {approved > 0 && <p>{t('approve.approved', { count: approved })}</p>}
      {halves > 0 && <p>{t('approve.halves', { count: halves })}</p>}
      {refused.length > 0 && (
        <>
          <p>{t('approve.refused', { count: refused.length })}</p>
          <ul>
            {refused.map(({ rowId, orderId, problem }) => (
              <li key={rowId}>
                {t('approve.refusedOne', {
                  id: orderOf(orderId),
                  why: sentenceOf(problem) ?? t('approve.why'),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
    </Alert>
  );
}
