import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/client.ts';
import { ApiProblem, isProblem } from '../../api/problem.ts';
import { saveFile } from '../../api/save-file.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { CopyButton } from '../../design/components/CopyButton.tsx';
import { Facts } from '../../design/components/Facts.tsx';
import { Field } from '../../design/components/Field.tsx';
import { download, envelope, pencil } from '../../design/components/icons.ts';
import { useFormats } from '../../i18n/format.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { moneyStateOf } from '../money/money-state.ts';
import { useBuyersEmail } from '../arrival.ts';
import { fieldSentence, useProblemText } from '../../session/problem-text.ts';
import { useSession } from '../../session/session.ts';
import { CardDrawing } from './GiftCard.tsx';
import { EditGift } from './EditGift.tsx';
import type { Buyer, GivenOrder, OwnGift } from './gifts.ts';
import { useGiftWords } from './gift-words.ts';
import styles from './gifts.module.css';

/** The gift of an order, for its buyer: where it is, and what can be done with it. */
export function OrderGift({ order }: { order: GivenOrder }) {
  const { gift } = order;
  const [proven, setProven] = useState<{ gift: OwnGift; email: string }>();
  if (!gift) return null;
  if ('message' in gift)
    return <Whole order={order} gift={gift} buyer={{ id: order._id }} name={order.customerName} />;
  if (!proven)
    return (
      <div className={styles.own}>
        <Summary order={order} gift={gift} />
        {!gift.erased && <Proof token={order.token} onProven={setProven} />}
      </div>
    );
  return (
    <Whole
      order={order}
      // The order is refreshed while the page is open; what was proven is not.
      gift={{ ...proven.gift, ...gift, recipientName: proven.gift.recipientName }}
      buyer={{ token: order.token, email: proven.email }}
      name={order.customerName}
      onChange={(changed) => setProven({ ...proven, gift: changed })}
    />
  );
}

type ShownGift = NonNullable<GivenOrder['gift']>;

function Summary({ order, gift, children }: { order: GivenOrder; gift: ShownGift; children?: ReactNode }) {
  const words = useGiftWords();
  return (
    <div className={styles.summary}>
      <div className={styles.thumb}>
        <CardDrawing card={gift.card} sizes="320px" />
      </div>
      <div className={styles.story}>
        <p className="lead">{words(order, gift)}</p>
        {children}
      </div>
    </div>
  );
}

/** Private links are shared, so guests enter the order's address before they see what they wrote. */
function Proof({
  token,
  onProven,
}: {
  token: string;
  onProven: (proven: { gift: OwnGift; email: string }) => void;
}) {
  const { t, i18n } = useTranslation('gift');
  const { t: common } = useTranslation();
  const problemText = useProblemText();
  const session = useSession('customer');
  const buyersEmail = useBuyersEmail();
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [email, setEmail] = useState('');
  const [isMissing, setMissing] = useState(false);
  const known = buyersEmail ?? (session.state === 'in' ? session.person.email : '');
  const reading = useMutation({
    mutationFn: async (address: string) => ({
      email: address,
      gift: (await call('POST /api/track/{token}/gift', { params: { token }, body: { email: address } }))
        .gift,
    }),
    onSuccess: onProven,
    onError: () => field.current?.focus(),
  });
  const problem =
    reading.error instanceof ApiProblem
      ? reading.error.fields.find(({ path }) => path === 'email')
      : undefined;
  const open = () => {
    setEmail(known);
    setOpen(true);
  };
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMissing(email.trim() === '');
    if (email.trim() === '') field.current?.focus();
    else if (!reading.isPending) reading.mutate(email.trim());
  };
  if (!isOpen)
    return (
      <div className={styles.actions}>
        <Button icon={pencil} onClick={open}>
          {t('own.open')}
        </Button>
      </div>
    );
  return (
    <form noValidate className={styles.form} onSubmit={submit}>
      <Field
        ref={field}
        label={t('own.email')}
        hint={t('own.emailHint')}
        type="email"
        autoComplete="email"
        maxLength={254}
        value={email}
        error={
          (isMissing && t('own.emailMissing')) ||
          (problem && fieldSentence(problem, asLanguage(i18n.language) ?? 'en'))
        }
        onChange={({ target }) => setEmail(target.value)}
      />
      {reading.isError && !problem && (
        <Alert kind="wrong">
          {problemText(reading.error, { failed: t('own.failed'), network: t('own.failed') })}
        </Alert>
      )}
      <div className={styles.actions}>
        <Button type="submit" look="accent" working={reading.isPending && t('own.opening')}>
          {t('own.show')}
        </Button>
        <Button onClick={() => setOpen(false)}>{common('cancel')}</Button>
      </div>
    </form>
  );
}

interface WholeProps {
  order: GivenOrder;
  gift: OwnGift;
  buyer: Buyer;
  name: string;
  onChange?: (gift: OwnGift) => void;
}

/** Everything the buyer wrote, and what they may do now. */
function Whole({ order, gift, buyer, name, onChange }: WholeProps) {
  const { t } = useTranslation('gift');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const queries = useQueryClient();
  const [isEditing, setEditing] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const { state, thanks, claimedAt } = gift;
  const mayChange = !gift.erased && !claimedAt && (state === 'waiting' || state === 'bounced');
  const isPaid = moneyStateOf(order) === 'paid';
  const address = gift.path && `${window.location.origin}${gift.path}`;
  const changed = (next: OwnGift) => {
    onChange?.(next);
    for (const queryKey of [
      ['order', order.token],
      ['customer', 'orders'],
    ])
      void queries.invalidateQueries({ queryKey });
  };
  const close = () => {
    setEditing(false);
    box.current?.focus({ preventScroll: true });
  };
  return (
    <div ref={box} tabIndex={-1} className={styles.own}>
      {isSaved && !isEditing && <Alert kind="good">{t('own.saved')}</Alert>}
      <Summary order={order} gift={gift}>
        <Facts
          rows={[
            { label: t('own.to'), value: gift.recipientName },
            { label: t('own.address'), value: gift.recipientEmail ?? t('form.byHand') },
            {
              label: t('own.day'),
              value: gift.byHand
                ? formats.calendarDay(gift.deliverOn)
                : t('own.dayAndTime', {
                    moment: formats.momentIn(gift.deliverAt, gift.timeZone),
                    zone: formats.zone(gift.timeZone),
                  }),
            },
            { label: t('form.language'), value: common(`language.${gift.language}`) },
            ...(gift.message
              ? [
                  {
                    label: t('form.message'),
                    value: (
                      <span dir="auto" className={styles.written}>
                        {gift.message}
                      </span>
                    ),
                  },
                ]
              : []),
          ]}
        />
        {thanks && (
          <div>
            <p>{t('own.thanked', { name: gift.recipientName, day: formats.day(thanks.at) })}</p>
            <p className={styles.thanks} dir="auto">
              {thanks.text}
            </p>
          </div>
        )}
        {!isEditing && (
          <div className={styles.actions}>
            {mayChange && (
              <Button
                icon={pencil}
                look={state === 'bounced' ? 'accent' : 'secondary'}
                onClick={() => {
                  setSaved(false);
                  setEditing(true);
                }}
              >
                {t(state === 'bounced' ? 'own.correct' : 'own.change')}
              </Button>
            )}
            {state !== 'cancelled' && isPaid && !gift.erased && (
              <CardDownload buyer={buyer} shortId={order.shortId} />
            )}
            {address && <CopyButton text={address} label={t('own.copyLink')} icon="link" />}
            {state === 'sent' && !gift.byHand && !gift.erased && !claimedAt && (
              <SendAgain buyer={buyer} onSent={changed} />
            )}
          </div>
        )}
      </Summary>
      {isEditing && (
        <EditGift
          gift={gift}
          buyer={buyer}
          name={name}
          trees={order.trees}
          onSaved={(next) => {
            changed(next);
            setSaved(true);
            close();
          }}
          onCancel={close}
        />
      )}
    </div>
  );
}

/** Calls for the buyer, whichever way they are known. */
function useCalls(buyer: Buyer) {
  const session = useSession('customer');
  return {
    card: () =>
      'id' in buyer
        ? session.call('GET /api/customers/orders/{id}/gift/card', { params: { id: buyer.id } })
        : call('POST /api/track/{token}/gift/card', {
            params: { token: buyer.token },
            body: { email: buyer.email },
          }),
    sendAgain: () =>
      'id' in buyer
        ? session.call('POST /api/customers/orders/{id}/gift/send-again', { params: { id: buyer.id } })
        : call('POST /api/track/{token}/gift/send-again', {
            params: { token: buyer.token },
            body: { email: buyer.email },
          }),
  };
}

function CardDownload({ buyer, shortId }: { buyer: Buyer; shortId: string }) {
  const { t } = useTranslation('gift');
  const problemText = useProblemText();
  const { card } = useCalls(buyer);
  const fetching = useMutation({
    mutationFn: async () => saveFile(await card(), `arboleda-${shortId}.pdf`),
  });
  const failed = { failed: t('own.pdfFailed'), network: t('own.pdfFailed') };
  return (
    <>
      <Button
        icon={download}
        working={fetching.isPending && t('own.pdfFetching')}
        onClick={() => fetching.mutate()}
      >
        {t('own.pdf')}
      </Button>
      {fetching.isError && <Alert kind="wrong">{problemText(fetching.error, failed)}</Alert>}
    </>
  );
}

function SendAgain({ buyer, onSent }: { buyer: Buyer; onSent: (gift: OwnGift) => void }) {
  const { t } = useTranslation('gift');
  const problemText = useProblemText();
  const { sendAgain } = useCalls(buyer);
  const sending = useMutation({ mutationFn: sendAgain, onSuccess: ({ gift }) => onSent(gift) });
  const failed = { failed: t('own.againFailed'), network: t('own.againFailed') };
  return (
    <>
      <Button
        icon={envelope}
        working={sending.isPending && t('own.sending')}
        onClick={() => sending.mutate()}
      >
        {t('own.sendAgain')}
      </Button>
      {sending.isSuccess && <Alert kind="good">{t('own.sentAgain')}</Alert>}
      {sending.isError && (
        <Alert kind={isProblem(sending.error, 'gift-sent-today') ? 'note' : 'wrong'}>
          {problemText(sending.error, failed)}
        </Alert>
      )}
    </>
  );
}
