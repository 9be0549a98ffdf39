import { useId, type ReactNode } from 'react';
import styles from './AccountPage.module.css';

interface Props {
  title: string;
  text: ReactNode;
  children: ReactNode;
}

export function Section({ title, text, children }: Props) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.words}>
        <h2 id={id} className="sub-title">
          {title}
        </h2>
        <p className="small quiet">{text}</p>
      </div>
      <div className={styles.form}>{children}</div>
    </section>
  );
}
