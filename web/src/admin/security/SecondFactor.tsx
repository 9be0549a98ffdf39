import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { check, warning } from '../../design/components/icons.ts';
import desk from '../desk/desk.module.css';
import { ListState } from '../desk/ListState.tsx';
import type { PanelProps } from '../panel.ts';
import { NewCodes } from './NewCodes.tsx';
import { RecoveryCodes } from './RecoveryCodes.tsx';
import { useSecondFactor } from './second-factor.ts';
import styles from './Security.module.css';
import { SetUp } from './SetUp.tsx';
import { TurnOff } from './TurnOff.tsx';

const FEW_CODES = 3;

/** Two-factor log-in by an authenticator app: how it stands, and the steps to another state. */
export function SecondFactor({ session }: PanelProps) {
  const { t } = useTranslation('desk');
  const query = useSecondFactor(session.call);
  const [open, setOpen] = useState<'set-up' | 'turn-off' | 'new-codes'>();
  // They are shown once; only closing them forgets them.
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
      <ListState query={query} loading={t('security.loading')}>
        {state && (
          <>
            <p className={`${desk.mark} ${state.enabled ? desk.leaf : desk.pending}`}>
              <Icon of={state.enabled ? check : warning} size="small" />
              {state.enabled ? t('security.on') : t('security.off')}
            </p>
            {codes && <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />}
            {state.enabled && !codes && (
              <p className={state.recoveryCodesLeft <= FEW_CODES ? desk.brick : undefined}>
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
