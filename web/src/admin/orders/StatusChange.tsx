import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';
import { Select, SelectItem, SelectPopover, SelectProvider } from '@ariakit/react/select';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../design/components/Badge.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { TextField } from '../../design/components/Field.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { caretDown } from '../../design/components/icons.ts';
import { useProblemText } from '../../session/problem-text.ts';
import type { PortalCall } from '../../session/session.ts';
import styles from './StatusSelect.module.css';
import { KEYS, type OrderDetails, type OrderRow } from './orders.ts';

export interface StatusChange {
  id: string;
  from: OrderStatus;
  to: OrderStatus;
}

/** Any status may be set; the current one changes nothing: product spec section 4. */
export const statusChangeOf = (
  order: Pick<OrderRow, '_id' | 'status'>,
  to: OrderStatus,
): StatusChange | undefined => (to === order.status ? undefined : { id: order._id, from: order.status, to });

function useStatusChange(call: PortalCall, onDone: (order: OrderDetails) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ change, reason }: { change: StatusChange; reason: string }) =>
      (
        await call('PUT /api/admin/orders/{id}/status', {
          params: { id: change.id },
          body: { status: change.to, ...(reason && { reason }) },
        })
      ).order,
    onSuccess: (order) => {
      queries.setQueryData(KEYS.part(order._id, 'details'), order);
      onDone(order);
    },
    // Reload even after a refusal: another admin may have changed it.
    onSettled: (_order, _error, { change }) => {
      void queries.invalidateQueries({ queryKey: KEYS.order(change.id) });
      void queries.invalidateQueries({ queryKey: KEYS.lists });
    },
  });
}

interface StatusConfirmProps {
  call: PortalCall;
  request: StatusChange;
  /** Current status, including live changes. */
  now: OrderStatus | undefined;
  onClose: () => void;
  onDone: (order: OrderDetails) => void;
}

/** Confirms a status change in the product spec's words and reports concurrent changes. */
export function StatusConfirm({ call, request, now, onClose, onDone }: StatusConfirmProps) {
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
  const overtaken = now !== undefined && now !== request.from;
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={t('status.ask', { from: word(request.from), to: word(request.to) })}
      confirm={t('status.confirm')}
      working={change.isPending && t('status.working')}
      onConfirm={() => change.mutate({ change: request, reason: reason.trim() })}
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

interface StatusSelectProps {
  label: string;
  status: OrderStatus;
  /** Undefined for an admin who may not change it: then it is only shown. */
  onChoose: ((status: OrderStatus) => void) | undefined;
}

export function StatusSelect({ label, status, onChoose }: StatusSelectProps) {
  const { t } = useTranslation();
  if (!onChoose) return <Badge of={status}>{t(`status.${status}`)}</Badge>;
  return (
    <SelectProvider value={status} setValue={(value: string) => onChoose(value as OrderStatus)}>
      <Select
        className={`${styles.select} ${styles[status]}`}
        aria-label={`${label}: ${t(`status.${status}`)}`}
      >
        <Badge of={status}>{t(`status.${status}`)}</Badge>
        <span className={styles.caret}>
          <Icon of={caretDown} size="small" />
        </span>
      </Select>
      <SelectPopover
        className={styles.popover}
        gutter={4}
        unmountOnHide
        aria-label={label}
        // Escape closes the menu, not the dialog around it.
        hideOnEscape={(event) => {
          event.preventDefault();
          return true;
        }}
      >
        {ORDER_STATUSES.map((one) => (
          <SelectItem key={one} value={one} className={styles.item}>
            <Badge of={one}>{t(`status.${one}`)}</Badge>
          </SelectItem>
        ))}
      </SelectPopover>
    </SelectProvider>
  );
}
