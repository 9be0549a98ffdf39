import { useEffect, useState } from 'react';

/** Turns true when something has been waited for so long. */
export function useLate(isWaiting: boolean, afterMs: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [isWaiting, afterMs]);
  return late;
}
