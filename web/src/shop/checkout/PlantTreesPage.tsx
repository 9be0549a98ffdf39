import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { usePackagePrices } from '../../api/packages.ts';
import { useChosenCurrency } from '../../api/use-currency.ts';
import { usePage } from '../../layout/use-page.ts';
import { useFormats } from '../../i18n/format.ts';
import '../first/first-screen.css';
import { ButtonLink, Button } from '../../design/components/Button.tsx';
import { CurrencyPicker } from '../../layout/CurrencyPicker.tsx';
import { PublicLayout } from '../../layout/PublicLayout.tsx';
import { Checkout, FORM_QUERY } from './Checkout.tsx';
import { emptyGift } from '../../order/gift/gift-form.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { changeDraft, currentDraft, useDraft } from '../../order/purchase/draft.ts';
import { OpenedInView } from './OpenedInView.tsx';
import { PackageChoice } from './PackageChoice.tsx';
import { PriceNote } from './PriceNote.tsx';
import { totalOf } from './selection.ts';
import styles from './PlantTreesPage.module.css';

const COUNT = 'input[inputmode=numeric]';

export function PlantTreesPage() {
  const { t } = useTranslation('checkout');
  const formats = useFormats();
  const queryClient = useQueryClient();
  const { packageType, customTrees } = useDraft();
  const [isWorking, setIsWorking] = useState(false);
  const chosen = useChosenCurrency();
  // A choice in the footer or another tab waits for the end of a payment, which charges what is shown.
  const [currency, setCurrency] = useState(chosen);
  if (!isWorking && currency !== chosen) setCurrency(chosen);
  const { data: prices } = usePackagePrices(currency);
  // The order page may load slowly, and going back must not reopen the checkout.
  const [placedOrder, setPlacedOrder] = useState<string>();
  const choice = useRef<HTMLFieldSetElement>(null);
  usePage(t('title'));
  useGiftLink();

  // Prefetched, so that a later network failure does not matter.
  useEffect(() => void queryClient.prefetchQuery(FORM_QUERY), [queryClient]);

  const close = () => {
    choice.current?.querySelector<HTMLInputElement>('input:checked')?.focus();
    changeDraft({ packageType: undefined });
  };
  const total = packageType && prices && totalOf({ packageType, customTrees }, prices);
  return (
    <PublicLayout>
      <section id="contribute" className={`container ${styles.page}`} aria-labelledby="contribute-title">
        <div className={styles.head}>
          <h1 id="contribute-title" className={`page-title ${styles.title}`}>
            {t('heading')}
          </h1>
          <div className={styles.prices}>
            <CurrencyPicker locked={isWorking} />
            <PriceNote prices={prices} />
          </div>
        </div>
        {placedOrder && <PlacedOrder orderToken={placedOrder} onAnother={() => setPlacedOrder(undefined)} />}
        {!placedOrder && <PackageChoice ref={choice} prices={prices} locked={isWorking} />}
        <p className="visually-hidden" role="status">
          {total &&
            t('panel.opened', {
              count: total.trees,
              trees: formats.number(total.trees),
              amount: formats.money(total.amountMinor, total.currency),
            })}
        </p>
        {packageType && prices && (
          <OpenedInView of={packageType}>
            <Checkout
              selection={{ packageType, customTrees }}
              prices={prices}
              onClose={close}
              onWrongCount={() => choice.current?.querySelector<HTMLInputElement>(COUNT)?.focus()}
              onWorking={setIsWorking}
              onDone={setPlacedOrder}
            />
          </OpenedInView>
        )}
      </section>
    </PublicLayout>
  );
}

/** `?gift` opens the checkout for a gift, once. */
function useGiftLink(): void {
  const { i18n } = useTranslation();
  const [query, setQuery] = useSearchParams();
  const isAsked = query.has('gift');
  useEffect(() => {
    if (!isAsked) return;
    const { packageType = 'grove', gift = emptyGift(asLanguage(i18n.language) ?? 'en') } = currentDraft();
    changeDraft({ packageType, isGift: true, gift });
    setQuery(
      (former) => {
        former.delete('gift');
        return former;
      },
      { replace: true },
    );
  }, [isAsked, setQuery, i18n]);
}

/** Replaces the checkout until the order page loads. */
function PlacedOrder({ orderToken, onAnother }: { orderToken: string; onAnother: () => void }) {
  const { t } = useTranslation('checkout');
  return (
    <div className={styles.placed} role="status">
      <p className="lead">{t('placed.text')}</p>
      <div className={styles.actions}>
        <ButtonLink to={`/orders/${orderToken}`} state={{ hasPaid: true }} look="accent">
          {t('placed.open')}
        </ButtonLink>
        <Button look="text" onClick={onAnother}>
          {t('placed.another')}
        </Button>
      </div>
    </div>
  );
}
