import { useTranslation } from 'react-i18next';
import { Panel } from '../desk/Panel.tsx';
import type { PanelProps } from '../panel.ts';
import { Everywhere } from './Everywhere.tsx';
import { Password } from './Password.tsx';
import { SecondFactor } from './SecondFactor.tsx';
import styles from './Security.module.css';

/** One's own account: the second factor, the password, and where one is logged in. */
export function SecurityPanel({ session }: PanelProps) {
  const { t } = useTranslation('desk');
  return (
    <Panel title={t('security.title')}>
      <div className={styles.parts}>
        <SecondFactor session={session} />
        <Password session={session} />
        <Everywhere session={session} />
      </div>
    </Panel>
  );
}
