import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from '../design/components/Alert.tsx';
import { Button } from '../design/components/Button.tsx';
import { envelope } from '../design/components/icons.ts';
import type { OpenSession } from '../portal/Gate.tsx';
import { ReceiptDownload } from '../order/money/ReceiptDownload.tsx';
import { useProblemText } from '../session/problem-text.ts';
import type { CustomerOrder } from './orders.ts';
import styles from './OrderStory.module.css';

export function ReceiptActions({
  session,
  order,
}: {
  session: OpenSession<'customer'>;
  order: CustomerOrder;
}) {
  const { t } = useTranslation('customer');
  const problemText = useProblemText();
  // A retry after a lost answer sends no second email.
  const [key, setKey] = useState(() => crypto.randomUUID());
  const resend = useMutation({
    mutationFn: () =>
      session.call('POST /api/customers/orders/{id}/resend-mail', {
        params: { id: order._id },
        idempotencyKey: key,
      }),
    onSuccess: () => setKey(crypto.randomUUID()),
  });
  const failed = { failed: t('orders.resendFailed'), network: t('orders.resendFailed') };
  return (
    <div className={styles.receipt}>
      <ReceiptDownload order={order} />
      <Button
        icon={envelope}
        working={resend.isPending && t('orders.resending')}
        onClick={() => resend.mutate()}
      >
        {t('orders.resend')}
      </Button>
      {resend.isSuccess && <Alert kind="good">{t('orders.resent')}</Alert>}
      {resend.isError && <Alert kind="wrong">{problemText(resend.error, failed)}</Alert>}
    </div>
  );
}
