import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OrderStatus } from '@arboleda/contracts/order.ts';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { TextField } from '../../design/components/Field.tsx';
import type { PortalCall } from '../../session/session.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { OrderDetails } from './orders.ts';
import { type StatusChange, useStatusChange } from './status-change.ts';

interface Props {
  call: PortalCall;
  wish: StatusChange;
  /** Current status, including live changes. */
  now: OrderStatus | undefined;
  onClose: () => void;
  onDone: (order: OrderDetails) => void;
}

/** Confirms a status change in the product spec's words and reports concurrent changes. */
export function StatusConfirm({ call, wish, now, onClose, onDone }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const [reason, setReason] = useState('');
  const change = useStatusChange(call, (order) => {
    onDone(order);
    onClose();
  });
  const word = (status: OrderStatus) => common(`status.${status}`);
  const failed = t('status.failed');
  const sentence = change.error && problemText(change.error, { failed, network: failed });
  const overtaken = now !== undefined && now !== wish.from;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('status.ask', { from: word(wish.from), to: word(wish.to) })}
      confirm={t('status.confirm')}
      working={change.isPending && t('status.working')}
      onConfirm={() => change.mutate({ change: wish, reason: reason.trim() })}
      error={sentence && (sentence === failed ? failed : `${failed}. ${sentence}`)}
    >
      {overtaken && <p>{t('status.overtaken', { status: word(now) })}</p>}
      <TextField
        label={t('status.reason')}
        note={t('optional')}
        hint={t('status.reasonHint')}
        rows={2}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </ConfirmDialog>
  );
}
