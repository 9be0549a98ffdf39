import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { encode } from 'uqr';
import { saveFile } from '../../api/save-file.ts';
import { Button, ButtonAnchor } from '../../design/components/Button.tsx';
import { CopyButton } from '../../design/components/CopyButton.tsx';

import { Skeleton } from '../../design/components/Skeleton.tsx';
import { useToast } from '../../design/components/Toasts.tsx';
import { arrowDown, check, openOut, warning } from '../../design/components/icons.ts';
import type { PortalCall } from '../../session/session.ts';
import { ListState } from '../list/ListState.tsx';
import { Mark } from '../shared/Mark.tsx';
import shared from '../shared/shared.module.css';
import { useOnce } from '../shared/files.tsx';
import type { PanelProps } from '../panel.ts';
import styles from './Security.module.css';
import { StepForm } from './StepForm.tsx';

const KEY = ['admin', 'second-factor'];

const useSecondFactor = (call: PortalCall) =>
  useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => call('GET /api/auth/admin/second-factor', { signal }),
  });

function useStep<Variables, Result>(step: (variables: Variables) => Promise<Result>) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: step,
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: KEY }),
  });
}

/** Groups of four characters, easier to type from another screen. */
export const grouped = (secret: string): string => secret.replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ');

interface NewCodesProps extends PanelProps {
  onCancel: () => void;
  onDone: (codes: readonly string[]) => void;
}

function NewCodes({ session: { call }, onCancel, onDone }: NewCodesProps) {
  const { t } = useTranslation('panels');
  const renew = useStep((body: { code: string }) =>
    call('POST /api/auth/admin/second-factor/recovery-codes', { body }),
  );
  const renewOnce = useOnce(renew);
  return (
    <StepForm
      takesFocus
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

/** Single-use codes that replace the app, shown only now. */
function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('panels');
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const text = codes.join('\n');
  return (
    <div className={styles.steps}>
      <h4 ref={heading} tabIndex={-1} className={styles.title}>
        {t('security.codes')}
      </h4>
      <p>{t('security.codesText')}</p>
      <ul className={`${styles.secret} ${styles.codes}`}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles.acts}>
        <CopyButton text={text} label={t('security.copyCodes')} />
        <Button
          icon={arrowDown}
          onClick={() => saveFile(new Blob([`${text}\n`], { type: 'text/plain' }), t('security.codesFile'))}
        >
          {t('security.saveCodes')}
        </Button>
        <Button onClick={onClose}>{t('security.keptCodes')}</Button>
      </div>
    </div>
  );
}

/** Quiet zone in modules: ISO/IEC 18004 requires four. */
const BORDER = 4;

/** QR code as one SVG path. Dark on light in every theme, because authenticator apps do not read inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => {
    const code = encode(text, { ecc: 'M', border: BORDER });
    return { size: code.size, path: pathOf(code.data) };
  }, [text]);
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label}>
      <path className={styles.qrGround} d={`M0 0h${size}v${size}H0z`} />
      <path className={styles.qrModules} d={path} shapeRendering="crispEdges" />
    </svg>
  );
}

const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');

interface SetUpProps extends PanelProps {
  onCancel: () => void;
  onDone: (codes: readonly string[]) => void;
}

/** Asks for the password, shows the secret, then verifies its first code. */
function SetUp({ session: { call, logIn }, onCancel, onDone }: SetUpProps) {
  const { t } = useTranslation('panels');
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
        takesFocus
        key="password"
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
      takesFocus
      key="code"
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

interface TurnOffProps extends PanelProps {
  onCancel: () => void;
  onDone: () => void;
}

function TurnOff({ session: { call, logIn }, onCancel, onDone }: TurnOffProps) {
  const { t } = useTranslation('panels');
  const toast = useToast();
  const off = useStep(async (body: { code: string; currentPassword: string }) => {
    const { token } = await call('POST /api/auth/admin/second-factor/disable', { body });
    logIn(token);
  });
  const offOnce = useOnce(off);
  return (
    <StepForm
      takesFocus
      fields={['currentPassword', 'code']}
      submit={t('security.turnOffNow')}
      destructive
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

const FEW_CODES = 3;

export function SecondFactor({ session }: PanelProps) {
  const { t } = useTranslation('panels');
  const query = useSecondFactor(session.call);
  const [open, setOpen] = useState<'set-up' | 'turn-off' | 'new-codes'>();
  // Shown once, until closed.
  const [codes, setCodes] = useState<readonly string[]>();
  const done = (fresh?: readonly string[]) => {
    setOpen(undefined);
    setCodes(fresh);
  };
  const state = query.data;
  return (
    <section className={styles.part} aria-labelledby="second-factor">
      <h3 id="second-factor" className={styles.title}>
        {t('security.factor')}
      </h3>
      <p>{t('security.factorText')}</p>
      <ListState
        query={query}
        loading={t('security.loading')}
        skeleton={<Skeleton label={t('security.loading')} lines={2} />}
      >
        {state && (
          <>
            <Mark as="p" icon={state.enabled ? check : warning} tone={state.enabled ? 'leaf' : 'pending'}>
              {state.enabled ? t('security.on') : t('security.off')}
            </Mark>
            {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
            {state.enabled && !codes && (
              <p className={state.recoveryCodesLeft <= FEW_CODES ? shared.brick : undefined}>
                {t('security.codesLeft', { count: state.recoveryCodesLeft })}
              </p>
            )}
            {open === 'set-up' && <SetUp session={session} onCancel={() => done()} onDone={done} />}
            {open === 'new-codes' && <NewCodes session={session} onCancel={() => done()} onDone={done} />}
            {open === 'turn-off' && (
              <TurnOff session={session} onCancel={() => done()} onDone={() => done()} />
            )}
            {!open && !codes && (
              <div className={styles.acts}>
                {state.enabled ? (
                  <>
                    <Button onClick={() => setOpen('new-codes')}>{t('security.newCodes')}</Button>
                    <Button look="destructive" onClick={() => setOpen('turn-off')}>
                      {t('security.turnOff')}
                    </Button>
                  </>
                ) : (
                  <Button onClick={() => setOpen('set-up')}>{t('security.setUp')}</Button>
                )}
              </div>
            )}
          </>
        )}
      </ListState>
    </section>
  );
}
