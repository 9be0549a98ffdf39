import type { Currency } from '@arboleda/contracts/countries.ts';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { GrowthPlans } from './GrowthPlans.tsx';
import type { OpenSession } from '../../portal/Gate.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import styles from './GrowthPicker.module.css';

interface GrowthPickerProps {
  session: Pick<OpenSession<'customer'>, 'call'>;
  order: { _id: string; trees: number; plantingDate?: string | undefined; currency: Currency };
  /** Navigates to the payment page; replaced in tests. */
  leave?: (address: string) => void;
}

const leaveTo = (address: string) => window.location.assign(address);

/** Photo packages for one order; choosing one opens the provider's payment page. */
export function GrowthPicker({ session, order, leave = leaveTo }: GrowthPickerProps) {
  const { t } = useTranslation('growth');
  const problemText = useProblemText();
  const checkout = useMutation({
    mutationFn: (priceId: string) =>
      session.call('POST /api/payments/create-photo-package-checkout', {
        body: { priceId, originalOrderId: order._id },
      }),
    onSuccess: ({ checkoutUrl }) => leave(checkoutUrl),
  });
  const { reset } = checkout;
  // Going back may restore this page from the back/forward cache with its pending state.
  useEffect(() => {
    const onShow = (event: PageTransitionEvent) => event.persisted && reset();
    window.addEventListener('pageshow', onShow);
    return () => window.removeEventListener('pageshow', onShow);
  }, [reset]);
  const isLeaving = checkout.isPending || checkout.isSuccess;
  return (
    <div className={styles.picker}>
      <p className={styles.lead}>{t('lead', { count: order.trees })}</p>
      <GrowthPlans
        currency={order.currency}
        plantingDate={order.plantingDate}
        trees={order.trees}
        action={({ priceId, popular }, name) => (
          <Button
            look={popular ? 'accent' : 'secondary'}
            aria-label={t('chooseOne', { name })}
            disabled={isLeaving && checkout.variables !== priceId}
            working={isLeaving && checkout.variables === priceId && t('going')}
            onClick={() => checkout.mutate(priceId)}
          >
            {t('choose')}
          </Button>
        )}
      />
      {checkout.isError && (
        <Alert kind="wrong">
          {problemText(checkout.error, { failed: t('failed'), network: t('failedNetwork') })}
        </Alert>
      )}
    </div>
  );
}
