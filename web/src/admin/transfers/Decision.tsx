import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { TextField } from '../../design/components/Field.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { arrowRight } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { history } from '../shared/icons.ts';
import { useOnce } from '../shared/files.tsx';
import { parseAmount } from './amounts.ts';
import styles from './Review.module.css';
import type { Transfer } from './transfers.ts';
import { isRace, type useDecision, type Wish } from './use-decision.ts';

interface Props {
  transfer: Transfer;
  received: string;
  reason: string;
  decision: ReturnType<typeof useDecision>;
  onReasonMissing: () => void;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

/** Approve or reject with confirmation, then continue to the next transfer. */
export function Decision({ transfer, received, reason, decision, onReasonMissing, onNext, onClose }: Props) {
  const { t } = useTranslation('desk');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const problemText = useProblemText();
  const send = useOnce(decision);
  const [asked, setAsked] = useState<Wish['kind']>();
  const [note, setNote] = useState('');
  const { amount, currency, customerName, shortId, trees } = transfer;
  const amountReceived = parseAmount(received, currency);
  const isUnreadable = received.trim() !== '' && amountReceived === undefined;

  if (transfer.manualPayment.verificationStatus !== 'pending')
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

  const decide = (wish: Wish) => {
    send(wish, {
      onSuccess: () => setAsked(undefined),
      onError: (error) => {
        if (isRace(error)) setAsked(undefined);
      },
    });
  };
  const ask = (kind: Wish['kind']) => {
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
