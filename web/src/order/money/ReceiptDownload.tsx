import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { isProblem } from '../../api/problem.ts';
import { saveFile } from '../../api/save-file.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { download } from '../../design/components/icons.ts';
import { asLanguage } from '../../i18n/languages.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { useSession } from '../../session/session.ts';

interface Props {
  order: Pick<PublicOrder, '_id' | 'shortId'>;
  /** Called when the order is another customer's. */
  onRefused?: () => void;
}

/** Receipt as PDF in the page's language, for the logged-in customer whose order it is. */
export function ReceiptDownload({ order, onRefused }: Props) {
  const { t, i18n } = useTranslation('order');
  const problemText = useProblemText();
  const session = useSession('customer');
  const fetching = useMutation({
    mutationFn: async () => {
      if (session.state !== 'in') return;
      const file = await session.call('GET /api/customers/orders/{id}/receipt', {
        params: { id: order._id },
        query: { language: asLanguage(i18n.language) },
      });
      saveFile(file, `arboleda-${order.shortId}.pdf`);
    },
    onError: (error) => {
      if (isProblem(error, 'not-found')) onRefused?.();
    },
  });
  if (session.state !== 'in') return null;
  return (
    <>
      <Button
        icon={download}
        working={fetching.isPending && t('receipt.fetching')}
        onClick={() => fetching.mutate()}
      >
        {t('receipt.pdf')}
      </Button>
      {fetching.isError && (
        <Alert kind="wrong">
          {isProblem(fetching.error, 'not-found')
            ? t('receipt.notYours')
            : problemText(fetching.error, { failed: t('receipt.failed'), network: t('receipt.failed') })}
        </Alert>
      )}
    </>
  );
}
