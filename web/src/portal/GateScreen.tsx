import type { ReactNode } from 'react';
import type { Scene } from '../art/scene.ts';
import { Picture } from '../design/components/Picture.tsx';
import styles from './GateScreen.module.css';

interface Props {
  title: string;
  lead: string;
  /** Shown beside the form on wide screens. */
  scene: Scene;
  children: ReactNode;
}

export function GateScreen({ title, lead, scene, children }: Props) {
  return (
    <div className={styles.gate}>
      <div className={styles.form}>
        <h1 className="page-title">{title}</h1>
        <p className={`lead quiet ${styles.lead}`}>{lead}</p>
        {children}
      </div>
      <Picture
        className={styles.scene}
        scene={scene}
        alt=""
        sizes="(max-width: 959px) 1px, (max-width: 1279px) 45vw, 600px"
      />
    </div>
  );
}
