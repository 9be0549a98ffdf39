import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { ConfirmDialog } from '../../design/components/ConfirmDialog.tsx';
import { useProblemText } from '../../session/problem-text.ts';
import { useOnce } from '../desk/use-once.ts';
import type { PanelProps } from '../panel.ts';
import styles from './Security.module.css';

/** Ends all sessions of one's own, this one too. */
export function Everywhere({ session: { call, logOut } }: PanelProps) {
  const { t } = useTranslation('desk');
  const problemText = useProblemText();
  const [isAsked, setAsked] = useState(false);
  const end = useMutation({
    mutationFn: () => call('POST /api/auth/me/log-out-everywhere'),
    onSuccess: logOut,
  });
  const endOnce = useOnce(end);
  return (
    <section className={styles.part} aria-labelledby="everywhere">
      <h3 id="everywhere" className={styles.title}>
        {t('security.everywhere')}
      </h3>
      <p>{t('security.everywhereText')}</p>
      <div className={styles.acts}>
        <Button look="destructive" onClick={() => setAsked(true)}>
          {t('security.logOutEverywhere')}
        </Button>
      </div>
      <ConfirmDialog
        open={isAsked}
        onClose={() => setAsked(false)}
        grave
        title={t('security.everywhereTitle')}
        confirm={t('security.everywhereConfirm')}
        working={end.isPending && t('decision.working')}
        error={
          end.error &&
          problemText(end.error, { failed: t('security.failed'), network: t('workers.noAnswer') })
        }
        onConfirm={() => endOnce(undefined)}
      >
        <p>{t('security.everywhereMeans')}</p>
      </ConfirmDialog>
    </section>
  );
}
