import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router-dom';
import { AccountScreen } from '../../account/AccountScreen.tsx';
import { call } from '../../api/client.ts';
import { isProblem } from '../../api/problem.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button, ButtonLink } from '../../design/components/Button.tsx';
import { isPrivateLink } from '../arrival.ts';
import { useProblemText } from '../../session/problem-text.ts';
import styles from './gifts.module.css';

/** `/g/:token/stop`: no more gifts by email to the recipient's address. */
export function StopGiftsPage() {
  const { t } = useTranslation('gift');
  const { token = '' } = useParams();
  const problemText = useProblemText();
  const stopping = useMutation({
    mutationFn: () => call('POST /api/gifts/{token}/decline', { params: { token } }),
  });
  const isUnknown =
    !isPrivateLink(token) ||
    isProblem(stopping.error, 'not-found') ||
    isProblem(stopping.error, 'gift-erased') ||
    isProblem(stopping.error, 'validation-failed');
  return (
    <AccountScreen title={t('stop.title')} lead={t('stop.lead')}>
      <div className={styles.form}>
        {isUnknown ? (
          <Alert kind="wrong">{t('stop.unknown')}</Alert>
        ) : stopping.isSuccess ? (
          <>
            <Alert kind="good">{t('stop.done')}</Alert>
            <div className={styles.actions}>
              <ButtonLink to={`/g/${token}`}>{t('stop.back')}</ButtonLink>
            </div>
          </>
        ) : (
          <>
            <p>{t('stop.text')}</p>
            {stopping.isError && (
              <Alert kind="wrong">
                {problemText(stopping.error, { failed: t('stop.failed'), network: t('stop.failed') })}
              </Alert>
            )}
            <div className={styles.actions}>
              <Button
                look="destructive"
                working={stopping.isPending && t('stop.working')}
                onClick={() => stopping.mutate()}
              >
                {t('stop.submit')}
              </Button>
              <ButtonLink to={`/g/${token}`} look="text">
                {t('stop.keep')}
              </ButtonLink>
            </div>
          </>
        )}
      </div>
    </AccountScreen>
  );
}
