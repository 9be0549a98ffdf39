import { useTranslation } from 'react-i18next';
import { ButtonAnchor } from '../../design/components/Button.tsx';
import { CopyButton } from '../../design/components/CopyButton.tsx';
import { openOut } from '../../design/components/icons.ts';
import { useOnce } from '../desk/use-once.ts';
import type { PanelProps } from '../panel.ts';
import { grouped, useStep } from './second-factor.ts';
import { QrCode } from './QrCode.tsx';
import styles from './Security.module.css';
import { StepForm } from './StepForm.tsx';

interface Props extends PanelProps {
  onCancel: () => void;
  /** With the recovery codes, which are not told again. */
  onDone: (codes: readonly string[]) => void;
}

/** First the password, then the secret into the app, then its first code. */
export function SetUp({ session: { call, logIn }, onCancel, onDone }: Props) {
  const { t } = useTranslation('desk');
  const begin = useStep((body: { currentPassword: string }) =>
    call('POST /api/auth/admin/second-factor', { body }),
  );
  const confirm = useStep(async (body: { code: string }) => {
    const { token, recoveryCodes } = await call('POST /api/auth/admin/second-factor/confirm', { body });
    logIn(token);
    return recoveryCodes;
  });
  const beginOnce = useOnce(begin);
  const confirmOnce = useOnce(confirm);
  if (!begin.data)
    return (
      <StepForm
        fields={['currentPassword']}
        submit={t('security.goOn')}
        isWorking={begin.isPending}
        error={begin.error}
        onSubmit={(typed) => beginOnce(typed)}
        onCancel={onCancel}
      />
    );
  const { secret, otpauthUrl } = begin.data;
  return (
    <StepForm
      fields={['code']}
      submit={t('security.turnOn')}
      isWorking={confirm.isPending}
      error={confirm.error}
      onSubmit={(typed) => confirmOnce(typed, { onSuccess: onDone })}
      onCancel={onCancel}
    >
      <p>{t('security.enterSecret')}</p>
      <div className={styles.key}>
        <QrCode text={otpauthUrl} label={t('security.qr')} />
        <div className={styles.typed}>
          <p>{t('security.orType')}</p>
          <p className={styles.secret}>{grouped(secret)}</p>
        </div>
      </div>
      <div className={styles.acts}>
        <CopyButton text={secret} label={t('security.copySecret')} />
        <ButtonAnchor href={otpauthUrl} icon={openOut}>
          {t('security.openApp')}
        </ButtonAnchor>
      </div>
      <p className="quiet">{t('security.onPhone')}</p>
    </StepForm>
  );
}
