import { minorPerMajor } from '@arboleda/contracts/money.ts';
import { DEFAULT_BANK } from '@arboleda/contracts/payment-method.ts';
import { useEffect, useRef, useState, type KeyboardEvent, type RefObject } from 'react';
import { useForm, type UseFormReturn, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { PackagePrices } from '../../api/package-prices.ts';
import type { ProblemField } from '../../api/problem.ts';
import { useOnline } from '../../api/use-online.ts';
import { Alert } from '../../design/components/Alert.tsx';
import {
  errorsOf,
  type GiftErrors,
  hasErrors,
  refusedFields,
  senderProblem,
} from '../../order/gift/gift-form.ts';
import { useFormats } from '../../i18n/format.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { typedText } from '../../i18n/typed-text.ts';
import { useSession } from '../../session/session.ts';
import { type BuyerForm, buyerIn, customerOf, SENT_AS } from '../../order/purchase/buyer.ts';
import { BuyerFields } from './BuyerFields.tsx';
import { CardFields } from './card/CardFields.tsx';
import { changeDraft, chooseTransfer, currentDraft, useDraft } from '../../order/purchase/draft.ts';
import { GiftChoice } from './GiftChoice.tsx';
import { MethodChoice } from './MethodChoice.tsx';
import { missingOf, PayActions } from './PayActions.tsx';
import { countProblem, type PricedSelection, totalOf } from './selection.ts';
import { NoTransfer, TransferFields } from './transfer/TransferFields.tsx';
import { acceptedOf, useEvidence } from './transfer/evidence.ts';
import { useTransfer } from './transfer/use-transfer.ts';
import { useCardLibrary, usePaymentLanguage } from './card/card-library.ts';
import { useCountText } from './use-count-text.ts';
import { type PaymentElements, usePayment } from './card/use-payment.ts';
import styles from './PaymentForm.module.css';

const BUYER_FIELDS = Object.keys(SENT_AS) as (keyof BuyerForm)[];

export interface PaymentFormProps extends PricedSelection {
  /** Prices of a transfer; undefined while nobody can pay by transfer. */
  pesos: PackagePrices | undefined;
  /** The buyer sees prices in another currency than that of transfers. */
  isForeign: boolean;
  priceFailed: boolean;
  /** Nobody can pay by transfer now, because the peso's rate is too old. */
  hasNoPesos: boolean;
  onRetryPrice: () => void;
  onCancel: () => void;
  onWrongCount: () => void;
  /** Locks the selection while a payment is in progress. */
  onWorking: (isWorking: boolean) => void;
  /** The order is placed; its page opens next. */
  onDone: (orderToken: string) => void;
}

export function PaymentForm(props: PaymentFormProps) {
  const { selection, total, onCancel, onWrongCount, onWorking, onDone } = props;
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  const isOnline = useOnline();
  const { method } = useDraft();
  const giftBox = useRef<HTMLDivElement>(null);
  const gift = useGiftErrors(giftBox);
  const [elements, setElements] = useState<PaymentElements>();
  const [defaultValues] = useState(() => buyerIn(currentDraft()));
  const form = useForm<BuyerForm>({ defaultValues, mode: 'onTouched' });
  useFillIn(form);
  const evidence = useEvidence();
  const [evidenceMissing, setEvidenceMissing] = useState(false);
  const isCard = method.kind === 'card';
  const [cardWanted, setCardWanted] = useState(isCard);
  if (isCard && !cardWanted) setCardWanted(true);

  const transfer = useTransfer(props, evidence, onDone);
  const isSending = transfer.share !== undefined;
  const [isCharging, setIsCharging] = useState(false);
  const language = usePaymentLanguage(isCharging);
  const library = useCardLibrary(language, cardWanted);
  const payment = usePayment(library.data, props, onDone);
  if (payment.isWorking !== isCharging) setIsCharging(payment.isWorking);
  const isWorking = isCharging || isSending;
  useEffect(() => {
    onWorking(isWorking);
    return () => onWorking(false);
  }, [isWorking, onWorking]);

  const typed = useWatch({ control: form.control });
  const pictures = acceptedOf(evidence.pictures).length;
  const missing = missingOf({
    method,
    name: typed.name,
    email: typed.email,
    hasCard: Boolean(elements),
    hasPrice: Boolean(total),
    pictures,
  });
  const { problem, setProblem } = isCard ? payment : transfer;
  const hasWrongCount = countProblem(selection) !== undefined;
  const unpayable = useCountText(selection, total, isCard);
  const [hasTriedUnpayable, setHasTriedUnpayable] = useState(false);

  const methods = useRef<HTMLDivElement>(null);
  const toTransfer =
    props.pesos &&
    (() => {
      chooseTransfer();
      // The pressed button disappears, so the focus moves to the chosen method.
      methods.current?.querySelector<HTMLElement>(`input[value="${DEFAULT_BANK}"]`)?.focus();
    });

  const pesosOf = (prices: PackagePrices) => {
    const { amountMinor, currency } = totalOf(selection, prices);
    const rateMinor = Math.round(prices.exchangeRate * minorPerMajor(currency));
    return { amount: formats.money(amountMinor, currency), rate: formats.money(rateMinor, currency) };
  };

  const mark = (fields: readonly ProblemField[]) => {
    for (const { path, message } of fields) {
      if (path === 'trees') onWrongCount();
      const name = BUYER_FIELDS.find((one) => SENT_AS[one] === path);
      if (name) form.setError(name, { message: name === 'email' ? t('panel.emailWrong') : message });
    }
    gift.refuse(fields);
    const first = BUYER_FIELDS.find((name) => form.getFieldState(name).error);
    if (fields.length > 0 && first) form.setFocus(first);
  };

  const submit = form.handleSubmit(
    async (values) => {
      const customer = customerOf(values);
      if (gift.check()) return;
      setHasTriedUnpayable(unpayable !== undefined);
      if (unpayable) return onWrongCount();
      const wrongSender = currentDraft().isGift && senderProblem(customer.customerName, language);
      if (wrongSender) return mark([{ path: 'customerName', type: 'not-a-sender', message: wrongSender }]);
      if (method.kind === 'card') {
        if (!library.data) return setProblem({ text: t('errors.notLoaded') });
        if (!elements?.elements.getElement('payment')) return setProblem({ text: t('errors.noCard') });
        return mark((await payment.pay(customer, elements)).fields);
      }
      if (pictures === 0) return setEvidenceMissing(true);
      const phone = typedText(values.phone);
      const referenceNumber = typedText(values.referenceNumber);
      mark(await transfer.send({ ...customer, bank: method.bank, phone, referenceNumber }));
    },
    () => {
      gift.check();
      const { name, email } = form.getValues();
      if (!typedText(name) || !typedText(email)) setProblem({ text: t('errors.required') });
    },
  );
  /** A disabled button blocks implicit submission, so Enter in a field reports what is missing. */
  const onEnter = (event: KeyboardEvent<HTMLFormElement>) => {
    const isField = event.target instanceof HTMLInputElement && event.target.type !== 'radio';
    if (event.key !== 'Enter' || !isField || missing.length === 0) return;
    event.preventDefault();
    void submit();
  };

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWorking) void submit(event);
      }}
      onChange={() => changeDraft(form.getValues())}
      onKeyDown={onEnter}
    >
      <div ref={giftBox} className={styles.gift}>
        <GiftChoice
          errors={gift.errors}
          onTouch={gift.forgive}
          buyer={{ name: typed.name ?? '', email: typed.email ?? '' }}
          trees={total?.trees ?? 1}
          locked={isWorking}
        />
      </div>
      <div ref={methods}>
        <MethodChoice
          chosen={method}
          locked={isWorking}
          pesos={props.isForeign && props.pesos && !hasWrongCount ? pesosOf(props.pesos) : undefined}
        />
      </div>
      {!isOnline && <Alert kind="offline">{t('offline')}</Alert>}
      {cardWanted && (
        <div hidden={!isCard} className={styles.part}>
          <CardFields
            language={language}
            library={library}
            total={total}
            payment={payment}
            unpayable={unpayable !== undefined}
            withWallets={gift.isReady}
            onElements={setElements}
            onTransfer={toTransfer}
          >
            {isCard && <BuyerFields form={form} />}
          </CardFields>
        </div>
      )}
      {method.kind === 'transfer' && props.hasNoPesos && <NoTransfer />}
      {method.kind === 'transfer' && !props.hasNoPesos && (
        <TransferFields
          bank={method.bank}
          form={form}
          total={total}
          evidence={evidence}
          share={transfer.share}
          priceFailed={props.priceFailed}
          onRetryPrice={props.onRetryPrice}
          evidenceProblem={evidenceMissing && pictures === 0 ? t('errors.evidence') : undefined}
        />
      )}
      <PayActions
        method={method}
        missing={missing}
        problem={unpayable && hasTriedUnpayable ? { text: unpayable } : problem}
        label={
          total && !unpayable
            ? t('panel.submit', {
                count: total.trees,
                trees: formats.number(total.trees),
                amount: formats.money(total.amountMinor, total.currency),
              })
            : t('panel.submitUnpriced')
        }
        isCharging={isCharging}
        isSending={isSending}
        onCancel={isSending ? transfer.stop : onCancel}
        onTransfer={toTransfer}
      />
    </form>
  );
}

/** Errors of the gift's fields; none while the trees are for the buyer. */
function useGiftErrors(box: RefObject<HTMLDivElement | null>) {
  const { t, i18n } = useTranslation('gift', { useSuspense: false });
  const { isGift, gift } = useDraft();
  const [errors, setErrors] = useState<GiftErrors>({});
  const found = isGift && gift ? errorsOf(gift, t, asLanguage(i18n.language) ?? 'en') : {};
  const show = (wrong: GiftErrors) => {
    setErrors(wrong);
    return hasErrors(wrong);
  };
  useEffect(() => {
    if (hasErrors(errors)) box.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [box, errors]);
  return {
    errors: isGift ? errors : {},
    isReady: !hasErrors(found),
    /** Marks what is missing or wrong; true when something is. */
    check: () => show(found),
    refuse: (fields: readonly ProblemField[]) => show(refusedFields(fields, i18n.language)),
    forgive: (fields: readonly string[]) =>
      setErrors((marked) =>
        Object.fromEntries(Object.entries(marked).filter(([field]) => !fields.includes(field))),
      ),
  };
}

/** Fills in name and email of a customer who is logged in, unless something was typed. */
function useFillIn({ getValues, setValue }: UseFormReturn<BuyerForm>): void {
  const session = useSession('customer');
  const person = session.state === 'in' ? session.person : undefined;
  useEffect(() => {
    if (!person) return;
    if (!getValues('name')) setValue('name', person.name);
    if (!getValues('email')) setValue('email', person.email);
  }, [person, getValues, setValue]);
}
