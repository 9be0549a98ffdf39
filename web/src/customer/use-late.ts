import { useEffect, useState } from 'react';

/** True once `isWaiting` has lasted `afterMs`. */
export function useLate(isWaiting: boolean, afterMs: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), afterMs);
    return () => clearTimeout(timer);
  }, [isWaiting, afterMs]);
  return late;
}
