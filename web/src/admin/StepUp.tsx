import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../design/components/Dialog.tsx';
import type { OpenSession } from '../portal/Gate.tsx';
import { answerStepUps } from './step-up.ts';
import { StepForm } from './security/StepForm.tsx';

interface Asked {
  given: () => void;
  declined: () => void;
}

/** Asks for the second factor again when a call needs it, and lets the call go on. */
export function StepUp({ session }: { session: OpenSession<'admin'> }) {
  const [asked, setAsked] = useState<Asked>();
  useEffect(
    () =>
      answerStepUps(
        () => new Promise<void>((given, declined) => setAsked({ given, declined: () => declined() })),
      ),
    [],
  );
  return (
    asked && (
      <CodeDialog
        session={session}
        onGiven={() => {
          setAsked(undefined);
          asked.given();
        }}
        onClose={() => {
          setAsked(undefined);
          asked.declined();
        }}
      />
    )
  );
}

interface Props {
  session: OpenSession<'admin'>;
  onGiven: () => void;
  onClose: () => void;
}

function CodeDialog({ session: { call, logIn }, onGiven, onClose }: Props) {
  const { t } = useTranslation('panels');
  const giving = useMutation({
    mutationFn: (body: { code: string }) => call('POST /api/auth/admin/step-up', { body }),
    onSuccess: ({ token }) => {
      logIn(token);
      onGiven();
    },
  });
  return (
    <Dialog open onClose={onClose} title={t('stepUp.title')}>
      <StepForm
        fields={['code']}
        takesFocus
        submit={t('stepUp.submit')}
        isWorking={giving.isPending}
        error={giving.error}
        onSubmit={(body) => giving.mutate(body)}
        onCancel={onClose}
      >
        <p>{t('stepUp.text')}</p>
      </StepForm>
    </Dialog>
  );
}
