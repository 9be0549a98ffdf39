import type { ReactNode } from 'react';
import { useFormats } from '../../i18n/format.ts';
import styles from './Money.module.css';

interface Props {
  amountMinor: number;
  currency: string;
  /** Others than text: a figure after a small code; inherit: as large as the text around it. */
  size?: 'text' | 'large' | 'huge' | 'inherit';
}

/** An amount in the reader's format; the code and the number never break across lines. */
export function Money({ amountMinor, currency, size = 'text' }: Props) {
  const formats = useFormats();
  const text = formats.money(amountMinor, currency);
  if (size === 'text') return <span className={styles.text}>{text}</span>;
  const [code, ...figure] = text.split('\u00a0');
  return <MoneyFigure code={code} figure={figure.join('\u00a0')} size={size} />;
}

interface FigureProps {
  code: ReactNode;
  figure: ReactNode;
  size: 'large' | 'huge' | 'inherit';
}

/** Code and figure of an amount, for values that are not rendered by React alone. */
export function MoneyFigure({ code, figure, size }: FigureProps) {
  return (
    <span className={`figure ${styles.figure} ${styles[size]}`}>
      <span className={styles.code}>{code}</span>
      {'\u00a0'}
      {figure}
    </span>
  );
}
