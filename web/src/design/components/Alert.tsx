import type { ReactNode } from 'react';
import { Icon } from './Icon.tsx';
import { checkCircle, warning, wifiSlash } from './icons.ts';
import styles from './Alert.module.css';

const ICON_OF = { good: checkCircle, wrong: warning, offline: wifiSlash, note: warning };

interface Props {
  kind: keyof typeof ICON_OF;
  children: ReactNode;
  label?: string | undefined;
  action?: ReactNode;
}

/** A message in the page; "wrong" is announced assertively, others politely. */
export function Alert({ kind, children, label, action }: Props) {
  return (
    <div
      className={`${styles.alert} ${styles[kind]}`}
      role={kind === 'wrong' ? 'alert' : 'status'}
      aria-label={label}
    >
      <Icon of={ICON_OF[kind]} />
      <div className={styles.text}>{children}</div>
      {action}
    </div>
  );
}
