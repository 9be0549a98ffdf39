import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { usePackagePrices } from '../../api/packages.ts';
import { usePage } from '../../app/use-page.ts';
import { PublicLayout } from '../layout/PublicLayout.tsx';
import { Checkout } from './Checkout.tsx';
import { changeDraft, useDraft } from './draft.ts';
import { PackageChoice } from './PackageChoice.tsx';
import { PriceNote } from './PriceNote.tsx';
import { totalOf } from './selection.ts';
import styles from './PlantTreesPage.module.css';

export function PlantTreesPage() {
  const { t } = useTranslation('checkout');
  const { packageType, customTrees } = useDraft();
  const { data: prices } = usePackagePrices();
  const choice = useRef<HTMLFieldSetElement>(null);
  usePage(t('title'));
  const close = () => {
    choice.current?.querySelector<HTMLInputElement>('input:checked')?.focus();
    changeDraft({ packageType: undefined });
  };
  return (
    <PublicLayout>
      <section className={`container ${styles.page}`}>
        <div className={styles.head}>
          <h1 className="page-title">{t('heading')}</h1>
          <PriceNote prices={prices} />
        </div>
        <PackageChoice ref={choice} prices={prices} />
        {packageType && prices && (
          <OpenedInView of={packageType}>
            <Checkout
              selection={{ packageType, customTrees }}
              total={totalOf({ packageType, customTrees }, prices)}
              quote={prices.quote}
              onClose={close}
            />
          </OpenedInView>
        )}
      </section>
    </PublicLayout>
  );
}

/** Brings the checkout into view each time that it opens from another card. */
function OpenedInView({ of, children }: { of: string; children: React.ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const top = place.current?.getBoundingClientRect().top ?? 0;
    if (top > window.innerHeight * 0.55) place.current?.scrollIntoView({ block: 'start' });
  }, [of]);
  return (
    <div ref={place} className={styles.opened}>
      {children}
    </div>
  );
}
