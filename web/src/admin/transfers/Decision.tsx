import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { TextField } from '../../design/components/Field.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { arrowRight } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { useOnce } from '../shared/files.tsx';
import { history } from '../shared/icons.ts';
import { parseAmount } from './AmountComparison.tsx';
import styles from './Review.module.css';
import { isRace, type Transfer, type useDecision, type DecisionRequest } from './transfers.ts';
import { useMay } from '../permissions.tsx';

interface DecisionProps {
  transfer: Transfer;
  received: string;
  reason: string;
  decision: ReturnType<typeof useDecision>;
  onReasonMissing: () => void;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

export function Decision({
  transfer,
  received,
  reason,
  decision,
  onReasonMissing,
  onNext,
  onClose,
}: DecisionProps) {
  const { t } = useTranslation('panels');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const may = useMay();
  const problemText = useProblemText();
  const send = useOnce(decision);
  const [asked, setAsked] = useState<DecisionRequest['kind']>();
  const [note, setNote] = useState('');
  const { amount, currency, customerName, shortId, trees } = transfer;
  const amountReceived = parseAmount(received, currency);
  const isUnreadable = received.trim() !== '' && amountReceived === undefined;

  if (transfer.manualPayment.verificationStatus !== 'pending' || !may('transfers:decide'))
    return (
      <div className={styles.choice}>
        <Button onClick={onClose}>{common('close')}</Button>
        {onNext && (
          <Button icon={arrowRight} onClick={onNext}>
            {t('review.next')}
          </Button>
        )}
      </div>
    );

  const decide = (request: DecisionRequest) => {
    send(request, {
      onSuccess: () => setAsked(undefined),
      onError: (error) => {
        if (isRace(error)) setAsked(undefined);
      },
    });
  };
  const ask = (kind: DecisionRequest['kind']) => {
    decision.reset();
    setAsked(kind);
  };
  const failure = (failed: string) => {
    if (!decision.isError || isRace(decision.error)) return undefined;
    const why = problemText(decision.error, { failed, network: t('decision.noAnswer') });
    return why === failed ? failed : `${failed}. ${why}`;
  };
  const rows = [
    {
      label: t('facts.order'),
      value: `${shortId} · ${t('overview.treesOf', { count: trees, shown: formats.number(trees) })}`,
    },
    { label: t('review.expected'), value: formats.money(amount, currency) },
    {
      label: t('review.received'),
      value: amountReceived === undefined ? t('review.notNoted') : formats.money(amountReceived, currency),
    },
  ];
  return (
    <div className={styles.choice}>
      <p className={styles.record}>
        <Icon of={history} />
        {t('decision.record')}
      </p>
      <Button onClick={() => ask('approve')} disabled={isUnreadable}>
        {t('decision.approve')}
      </Button>
      <Button
        look="solid-destructive"
        onClick={() => (reason.trim() === '' ? onReasonMissing() : ask('reject'))}
      >
        {t('decision.reject')}
      </Button>
      <ConfirmDialog
        open={asked === 'approve'}
        onClose={() => setAsked(undefined)}
        title={t('decision.approveTitle')}
        confirm={t('decision.approveConfirm', { amount: formats.money(amountReceived ?? amount, currency) })}
        working={decision.isPending && t('decision.working')}
        error={failure(t('decision.approveFailed'))}
        onConfirm={() =>
          decide({ kind: 'approve', body: { amountReceived, ...(note.trim() && { note: note.trim() }) } })
        }
      >
        <p>{t('decision.approveText', { name: customerName })}</p>
        <Facts rows={rows} />
        <TextField
          label={t('decision.note')}
          note={t('decision.optional')}
          rows={2}
          maxLength={1000}
          value={note}
          onChange={(event) => setNote(event.target.value)}
        />
      </ConfirmDialog>
      <ConfirmDialog
        open={asked === 'reject'}
        onClose={() => setAsked(undefined)}
        destructive
        title={t('decision.rejectTitle')}
        confirm={t('decision.rejectConfirm')}
        working={decision.isPending && t('decision.working')}
        error={failure(t('decision.rejectFailed'))}
        onConfirm={() => decide({ kind: 'reject', body: { reason: reason.trim() } })}
      >
        <p>{t('decision.rejectText', { name: customerName })}</p>
        <blockquote className={styles.quote}>{reason.trim()}</blockquote>
      </ConfirmDialog>
    </div>
  );
}

interface OutcomeProps {
  me: string;
  transfer: Transfer;
  decision: ReturnType<typeof useDecision>;
}

/** Decision on a transfer, its author, and whether it was made just now in this window. */
export function Outcome({ me, transfer, decision }: OutcomeProps) {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const {
    verificationStatus: state,
    approval,
    firstApproval,
    rejection,
    needsSecondAdmin,
  } = transfer.manualPayment;
  const when = (at: string) => ({ moment: formats.moment(at) });
  const nameOf = (by: { id?: string | undefined; name?: string | undefined }) =>
    by.id === me ? t('outcome.you') : (by.name ?? t('outcome.somebody'));
  const amountOf = (one: typeof approval) =>
    one?.amountReceived === undefined
      ? ''
      : t('outcome.found', { amount: formats.money(one.amountReceived, transfer.currency) });
  const race = isRace(decision.error) && <p>{t('outcome.race')}</p>;
  if (state === 'approved')
    return (
      <Alert kind="good">
        {decision.data?.order.manualPayment.verificationStatus === 'approved' && (
          <p>
            <strong>{t('outcome.verified')}</strong>
          </p>
        )}
        {race}
        {approval && (
          <p>
            {t('outcome.approvedBy', { name: nameOf(approval.by), ...when(approval.at) })}{' '}
            {amountOf(approval)} {approval.note}
          </p>
        )}
      </Alert>
    );
  if (state === 'rejected')
    return (
      <Alert kind="note">
        {decision.variables?.kind === 'reject' && decision.isSuccess && (
          <p>
            <strong>{t('outcome.rejected')}</strong>
          </p>
        )}
        {race}
        {rejection && (
          <p>
            {t('outcome.rejectedBy', { name: nameOf(rejection.by), ...when(rejection.at) })}{' '}
            {rejection.reason}
          </p>
        )}
      </Alert>
    );
  if (firstApproval)
    return (
      <Alert kind="note">
        {race}
        <p>
          {t('outcome.firstBy', { name: nameOf(firstApproval.by), ...when(firstApproval.at) })}{' '}
          {amountOf(firstApproval)} {firstApproval.note}
        </p>
        <p>{firstApproval.by.id === me ? t('outcome.needsOther') : t('outcome.needsYou')}</p>
      </Alert>
    );
  if (needsSecondAdmin) return <Alert kind="note">{t('outcome.needsTwo')}</Alert>;
  return null;
}
