import { useMemo } from 'react';
import { encode } from 'uqr';
import styles from './Security.module.css';

/** Modules of quiet around a code: ISO/IEC 18004 asks for four. */
const BORDER = 4;

/** A text that a camera can read, drawn as one path. Dark on light in every scheme: apps do not read the reverse. */
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
