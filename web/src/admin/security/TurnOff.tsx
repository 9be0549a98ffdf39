import { useTranslation } from 'react-i18next';
import { useToast } from '../../design/components/Toasts.tsx';
import { useOnce } from '../desk/use-once.ts';
import type { PanelProps } from '../panel.ts';
import { useStep } from './second-factor.ts';
import { StepForm } from './StepForm.tsx';

interface Props extends PanelProps {
  onCancel: () => void;
  onDone: () => void;
}

export function TurnOff({ session: { call, logIn }, onCancel, onDone }: Props) {
  const { t } = useTranslation('desk');
  const toast = useToast();
  const off = useStep(async (body: { code: string; currentPassword: string }) => {
    const { token } = await call('POST /api/auth/admin/second-factor/disable', { body });
    logIn(token);
  });
  const offOnce = useOnce(off);
  return (
    <StepForm
      fields={['currentPassword', 'code']}
      submit={t('security.turnOffNow')}
      grave
      isWorking={off.isPending}
      error={off.error}
      onSubmit={(typed) =>
        offOnce(typed, {
          onSuccess: () => {
            toast({ kind: 'good', text: t('security.turnedOff') });
            onDone();
          },
        })
      }
      onCancel={onCancel}
    >
      <p>{t('security.turnOffText')}</p>
    </StepForm>
  );
}
