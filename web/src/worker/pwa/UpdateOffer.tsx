import { useTranslation } from 'react-i18next';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import type { Update } from './use-service-worker.ts';

/** Offers a new version, but not during an upload. */
export function UpdateOffer({ update, isBusy }: { update: Update; isBusy: boolean }) {
  const { t } = useTranslation('worker');
  if (!update.isReady) return null;
  return (
    <Alert
      kind="note"
      action={
        <Button working={isBusy && t('update.afterSending')} onClick={update.apply}>
          {t('update.apply')}
        </Button>
      }
    >
      {t('update.ready')}
    </Alert>
  );
}
