import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import type { PublicOrder } from '../../api/order.ts';
import { ApiProblem, isProblem } from '../../api/problem.ts';
import { ORGANISATION } from '../../content/organisation.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { Dialog } from '../../design/components/Dialog.tsx';
import { Field, TextField } from '../../design/components/Field.tsx';
import { useFormats } from '../../i18n/format.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { useBuyersEmail } from '../arrival.ts';
import { fieldSentence, useProblemText } from '../../session/problem-text.ts';
import { useSession } from '../../session/session.ts';
import styles from './withdrawal.module.css';

export type WithdrawableOrder = Pick<
  PublicOrder,
  '_id' | 'token' | 'trees' | 'method' | 'withdrawn' | 'withdrawableUntil' | 'withdrawal' | 'gift'
>;
type Act = 'withdraw' | 'keep';

/** For the donor: withdrawing from the purchase while that may be done, and keeping the order after all. */
export function Withdrawal({ order }: { order: WithdrawableOrder }) {
  const { t } = useTranslation(['withdrawal', 'order']);
  const formats = useFormats();
  const [now] = useState(() => Date.now());
  const [asking, setAsking] = useState<Act>();
  const box = useRef<HTMLDivElement>(null);
  const { withdrawal, withdrawableUntil } = order;
  const isOpen = withdrawal !== undefined && !order.withdrawn;
  const mayWithdraw = withdrawableUntil !== undefined && Date.parse(withdrawableUntil) >= now;
  const onDone = () => {
    setAsking(undefined);
    // The pressed button is gone.
    box.current?.focus({ preventScroll: true });
  };
  if (!isOpen && !mayWithdraw) return null;
  return (
    <div ref={box} tabIndex={-1} className={styles.box}>
      {isOpen ? (
        <Alert
          kind="note"
          action={
            !withdrawal.isRefundBegun && (
              <Button size="small" onClick={() => setAsking('keep')}>
                {t('keep.open')}
              </Button>
            )
          }
        >
          {t('requested', {
            date: formats.colombianDay(withdrawal.requestedAt),
            until: formats.colombianDay(withdrawal.refundBy),
          })}
        </Alert>
      ) : (
        <>
          <p className="small quiet">
            {t('until', { count: order.trees, day: formats.colombianDay(withdrawableUntil!) })}
          </p>
          <Button size="small" onClick={() => setAsking('withdraw')}>
            {t('open')}
          </Button>
        </>
      )}
      {asking && (
        <WithdrawalDialog order={order} act={asking} onClose={() => setAsking(undefined)} onDone={onDone} />
      )}
    </div>
  );
}

interface DialogProps {
  order: WithdrawableOrder;
  act: Act;
  onClose: () => void;
  onDone: () => void;
}

/** A guest proves to be the buyer by the order's email address, because links get shared. */
function WithdrawalDialog({ order, act, onClose, onDone }: DialogProps) {
  const { t, i18n } = useTranslation(['withdrawal', 'order']);
  const formats = useFormats();
  const problemText = useProblemText();
  const session = useSession('customer');
  const [email, setEmail] = useState(useBuyersEmail() ?? '');
  const [reason, setReason] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [isNotTheirs, setNotTheirs] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const isOwn = session.state === 'in' && !isNotTheirs;
  const sending = useSending(order, act, onDone);
  const problem =
    sending.error instanceof ApiProblem
      ? sending.error.fields.find(({ path }) => path === 'email')
      : undefined;
  const hasFieldProblem = problem !== undefined;
  useEffect(() => {
    if (hasFieldProblem || isNotTheirs) field.current?.focus();
  }, [hasFieldProblem, isNotTheirs]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (sending.isPending) return;
    const isEmpty = !isOwn && email.trim() === '';
    setMissing(isEmpty);
    if (isEmpty) return field.current?.focus();
    sending.mutate(
      { email: isOwn ? undefined : email.trim(), reason: reason.trim() },
      { onError: (failure) => isOwn && isProblem(failure, 'not-found') && setNotTheirs(true) },
    );
  };
  const failed = { failed: t('failed'), network: t('failed'), marked: ['email'] };
  const { withdrawableUntil: until } = order;
  return (
    <Dialog open onClose={onClose} title={t(`${act}.title`)}>
      <form className={styles.form} noValidate onSubmit={submit}>
        <p>{t(`${act}.text`, { count: order.trees })}</p>
        {act === 'withdraw' && (
          <>
            <p>{t(`back.${order.method.kind}`, { email: ORGANISATION.contactEmail })}</p>
            {order.gift && <p>{t('gift')}</p>}
          </>
        )}
        {!isOwn && (
          <Field
            ref={field}
            label={t('order:receipt.email')}
            hint={t('emailHint')}
            type="email"
            autoComplete="email"
            maxLength={254}
            required
            value={email}
            error={
              (isMissing && t('order:receipt.emailMissing')) ||
              (problem && fieldSentence(problem, asLanguage(i18n.language) ?? 'en'))
            }
            onChange={({ target }) => setEmail(target.value)}
          />
        )}
        {act === 'withdraw' && (
          <TextField
            label={t('reason')}
            rows={2}
            maxLength={1000}
            value={reason}
            onChange={({ target }) => setReason(target.value)}
          />
        )}
        {sending.error && !problem && (
          <Alert kind="wrong">
            {isProblem(sending.error, 'not-found')
              ? t('order:receipt.notYours')
              : problemText(sending.error, failed)}
            {isProblem(sending.error, 'withdrawal-too-late') &&
              until &&
              ` ${t('lastDay', { day: formats.colombianDay(until) })}`}
          </Alert>
        )}
        <div className={styles.acts}>
          <Button onClick={onClose}>{t('dismiss')}</Button>
          <Button
            type="submit"
            look={act === 'withdraw' ? 'solid-destructive' : 'accent'}
            working={sending.isPending && t(`${act}.working`)}
          >
            {t(`${act}.submit`)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface Said {
  /** Given by a guest. */
  email: string | undefined;
  reason: string;
}

function useSending(order: WithdrawableOrder, act: Act, onDone: () => void) {
  const session = useSession('customer');
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ email, reason }: Said) => {
      const why = reason ? { reason } : {};
      const own = { params: { id: order._id } };
      const linked = { params: { token: order.token } };
      if (act === 'withdraw')
        await (email === undefined
          ? session.call('POST /api/customers/orders/{id}/withdrawal', { ...own, body: why })
          : call('POST /api/track/{token}/withdrawal', { ...linked, body: { email, ...why } }));
      else
        await (email === undefined
          ? session.call('POST /api/customers/orders/{id}/withdrawal/retract', own)
          : call('POST /api/track/{token}/withdrawal/retract', { ...linked, body: { email } }));
    },
    onSuccess: async () => {
      await Promise.all(
        [
          ['order', order.token],
          ['customer', 'orders'],
        ].map((queryKey) => queries.invalidateQueries({ queryKey })),
      );
      onDone();
    },
  });
}
