import type { ReactNode } from 'react';
import { usePage } from '../layout/use-page.ts';
import { fieldSapling } from '../art/scenes.ts';
import { GateScreen } from '../portal/GateScreen.tsx';
import { PublicLayout } from '../layout/PublicLayout.tsx';
import styles from './account.module.css';

interface Props {
  title: string;
  lead: string;
  children: ReactNode;
}

/** Layout of pages reached from an email, and of the page that requests one. */
export function AccountScreen({ title, lead, children }: Props) {
  usePage(`${title} · Arboleda`);
  return (
    <PublicLayout>
      <div className={`container ${styles.screen}`}>
        <GateScreen title={title} lead={lead} scene={fieldSapling}>
          {children}
        </GateScreen>
      </div>
    </PublicLayout>
  );
}
