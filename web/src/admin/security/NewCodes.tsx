import { useTranslation } from 'react-i18next';
import { useOnce } from '../desk/use-once.ts';
import type { PanelProps } from '../panel.ts';
import { useStep } from './second-factor.ts';
import { StepForm } from './StepForm.tsx';

interface Props extends PanelProps {
  onCancel: () => void;
  onDone: (codes: readonly string[]) => void;
}

export function NewCodes({ session: { call }, onCancel, onDone }: Props) {
  const { t } = useTranslation('desk');
  const renew = useStep((body: { code: string }) =>
    call('POST /api/auth/admin/second-factor/recovery-codes', { body }),
  );
  const renewOnce = useOnce(renew);
  return (
    <StepForm
      fields={['code']}
      submit={t('security.makeCodes')}
      isWorking={renew.isPending}
      error={renew.error}
      onSubmit={(typed) => renewOnce(typed, { onSuccess: ({ recoveryCodes }) => onDone(recoveryCodes) })}
      onCancel={onCancel}
    >
      <p>{t('security.newCodesText')}</p>
    </StepForm>
  );
}
