import { shortId } from '@arboleda/contracts/order.ts';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { pencil } from '../../design/components/icons.ts';
import { FormSkeleton } from '../../design/components/Skeleton.tsx';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';
import { FactsSkeleton } from '../shared/Skeletons.tsx';
import { draftOf, forgetDraft } from './drafts.ts';
import styles from './OrderDialog.module.css';
import { OrderView } from './OrderView.tsx';
import { KEYS, type OrderDetails, useOrder } from './orders.ts';

const EditForm = lazy(async () => ({ default: (await import('./EditForm.tsx')).EditForm }));

interface Props {
  call: PortalCall;
  person: { id: string };
  id: string;
  onClose: () => void;
}

/** Order detail modal in view and edit mode: product spec section 2. */
export function OrderDialog({ call, person, id, onClose }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const may = useMay();
  const queries = useQueryClient();
  const { data: order, error, isPending, refetch } = useOrder(call, id);
  const draft = `${person.id} ${id}`;
  // A draft survives the end of a session and going back.
  const [editing, setEditing] = useState(() => draftOf(draft) !== undefined);
  const [leaving, setLeaving] = useState<'close' | 'view'>();
  const [saved, setSaved] = useState(false);
  const isMissing = isProblem(error, 'not-found') || isProblem(error, 'validation-failed');

  const leave = (to: 'close' | 'view') => {
    forgetDraft(draft);
    setLeaving(undefined);
    setEditing(false);
    if (to === 'close') onClose();
  };
  const askToLeave = (to: 'close' | 'view') =>
    editing && draftOf(draft) !== undefined ? setLeaving(to) : leave(to);
  const onSaved = (fresh: OrderDetails) => {
    queries.setQueryData(KEYS.part(id, 'details'), fresh);
    void queries.invalidateQueries({ queryKey: KEYS.order(id) });
    void queries.invalidateQueries({ queryKey: KEYS.lists });
    leave('view');
    setSaved(true);
  };
  return (
    <>
      <Dialog
        open
        onClose={() => askToLeave('close')}
        width="wide"
        title={editing ? t('edit.title', { id: shortId(id) }) : t('details.title', { id: shortId(id) })}
      >
        {isPending && <FactsSkeleton label={t('details.loading')} sections={6} />}
        {error && (
          <Alert
            kind={order ? 'offline' : 'wrong'}
            action={!isMissing && <Button onClick={() => void refetch()}>{common('tryAgain')}</Button>}
          >
            {isMissing ? t('details.missing') : order ? t('orders.stale') : t('details.failed')}
          </Alert>
        )}
        {saved && !editing && <Alert kind="good">{t('edit.done')}</Alert>}
        {order && editing && (
          <Suspense fallback={<FormSkeleton label={common('loading')} fields={8} />}>
            <EditForm
              call={call}
              order={order}
              draft={draft}
              onSaved={onSaved}
              onCancel={() => askToLeave('view')}
            />
          </Suspense>
        )}
        {order && !editing && <OrderView call={call} order={order} />}
        {!editing && (
          <div className={styles.foot}>
            <Button onClick={() => askToLeave('close')}>{common('close')}</Button>
            {order && may('orders:write') && (
              <Button
                icon={pencil}
                onClick={() => {
                  setSaved(false);
                  setEditing(true);
                }}
              >
                {t('edit.open')}
              </Button>
            )}
          </div>
        )}
      </Dialog>
      <ConfirmDialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title={t('edit.discardTitle')}
        confirm={t('edit.discard')}
        onConfirm={() => leave(leaving!)}
        destructive
      >
        <p>{t('edit.discardText')}</p>
      </ConfirmDialog>
    </>
  );
}
