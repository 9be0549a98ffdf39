import { DEFAULT_BANK } from '@arboleda/contracts/payment-method.ts';
import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import type { PackagePrices } from '../../api/package-prices.ts';
import type { ProblemField } from '../../api/problem.ts';
import { useOnline } from '../../api/use-online.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { useFormats } from '../../i18n/format.ts';
import { typedText } from '../../i18n/typed-text.ts';
import { customerOf } from '../../order/purchase/buyer.ts';
import { changeDraft, chooseTransfer, useDraft } from '../../order/purchase/draft.ts';
import { BuyerFields, useBuyer } from './BuyerFields.tsx';
import { CardFields, useCard } from './card/CardFields.tsx';
import { GiftChoice, useGiftErrors } from './GiftChoice.tsx';
import { MethodChoice } from './MethodChoice.tsx';
import { missingOf, PayActions } from './PayActions.tsx';
import { countProblem, type PricedSelection } from './selection.ts';
import { NoTransfer, TransferFields, useTransferPart } from './transfer/TransferFields.tsx';
import { useCountText } from './use-count-text.ts';
import styles from './PaymentForm.module.css';

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

/** Gift, buyer and method of a purchase; the methods' own parts are in `card` and `transfer`. */
export function PaymentForm(props: PaymentFormProps) {
  const { selection, total, pesos, onWrongCount, onWorking, onDone } = props;
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  const isOnline = useOnline();
  const { method } = useDraft();
  const giftBox = useRef<HTMLDivElement>(null);
  const gift = useGiftErrors(giftBox);
  const { form, typed, refuse } = useBuyer();
  const isCard = method.kind === 'card';
  const transfer = useTransferPart(props, isCard ? undefined : method.bank, onDone);
  const card = useCard(props, isCard, onDone);
  const chosen = isCard ? card : transfer;
  const isWorking = card.isWorking || transfer.isWorking;
  useEffect(() => {
    onWorking(isWorking);
    return () => onWorking(false);
  }, [isWorking, onWorking]);

  const missing = missingOf({ ...typed, hasPrice: Boolean(total), ofMethod: chosen.missing });
  const hasWrongCount = countProblem(selection) !== undefined;
  const unpayable = useCountText(selection, total, isCard);
  const [hasTriedUnpayable, setHasTriedUnpayable] = useState(false);

  const methods = useRef<HTMLDivElement>(null);
  const toTransfer =
    pesos &&
    (() => {
      chooseTransfer();
      // The pressed button disappears, so the focus moves to the chosen method.
      methods.current?.querySelector<HTMLElement>(`input[value="${DEFAULT_BANK}"]`)?.focus();
    });

  const mark = (fields: readonly ProblemField[]) => {
    if (fields.some(({ path }) => path === 'trees')) onWrongCount();
    gift.refuse(fields);
    refuse(fields);
  };

  const submit = form.handleSubmit(
    async (buyer) => {
      if (gift.check()) return;
      setHasTriedUnpayable(unpayable !== undefined);
      if (unpayable) return onWrongCount();
      const wrongSender = gift.checkSender(customerOf(buyer).customerName);
      mark(wrongSender.length > 0 ? wrongSender : await chosen.pay(buyer));
    },
    () => {
      gift.check();
      const { name, email } = form.getValues();
      if (!typedText(name) || !typedText(email)) chosen.setProblem({ text: t('errors.required') });
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
          buyer={typed}
          trees={total?.trees ?? 1}
          locked={isWorking}
        />
      </div>
      <div ref={methods}>
        <MethodChoice
          chosen={method}
          locked={isWorking}
          selection={selection}
          pesos={props.isForeign && !hasWrongCount ? pesos : undefined}
        />
      </div>
      {!isOnline && <Alert kind="offline">{t('offline')}</Alert>}
      {card.isWanted && (
        <CardFields
          card={card}
          isChosen={isCard}
          total={total}
          unpayable={unpayable !== undefined}
          withWallets={gift.isReady}
          onTransfer={toTransfer}
        >
          {isCard && <BuyerFields form={form} />}
        </CardFields>
      )}
      {method.kind === 'transfer' && props.hasNoPesos && <NoTransfer />}
      {method.kind === 'transfer' && !props.hasNoPesos && (
        <TransferFields
          bank={method.bank}
          form={form}
          total={total}
          transfer={transfer}
          priceFailed={props.priceFailed}
          onRetryPrice={props.onRetryPrice}
        />
      )}
      <PayActions
        method={method}
        missing={missing}
        problem={unpayable && hasTriedUnpayable ? { text: unpayable } : chosen.problem}
        label={
          total && !unpayable
            ? t('panel.submit', {
                count: total.trees,
                trees: formats.number(total.trees),
                amount: formats.money(total.amountMinor, total.currency),
              })
            : t('panel.submitUnpriced')
        }
        isCharging={card.isWorking}
        isSending={transfer.isWorking}
        onCancel={transfer.isWorking ? transfer.stop : props.onCancel}
        onTransfer={toTransfer}
      />
    </form>
  );
}
