import { createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode } from 'react';
import { Alert } from './Alert.tsx';
import styles from './Toasts.module.css';

interface Toast {
  id: number;
  kind: 'good' | 'wrong' | 'offline';
  text: ReactNode;
  action?: ReactNode;
}

type Show = (toast: Omit<Toast, 'id'>) => void;

const SHOWN_MS = 6000;
const ToastContext = createContext<Show>(() => undefined);

/** Says what just happened and goes by itself. Never for an error that belongs beside a field. */
export const useToast = (): Show => useContext(ToastContext);

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const nextId = useRef(0);
  const show = useCallback<Show>((toast) => {
    const id = nextId.current++;
    setToasts((shown) => [...shown, { ...toast, id }]);
    setTimeout(() => setToasts((shown) => shown.filter((one) => one.id !== id)), SHOWN_MS);
  }, []);
  const list = useMemo(
    () => (
      <div className={styles.toasts} aria-live="polite">
        {toasts.map(({ id, kind, text, action }) => (
          <div key={id} className={styles.toast}>
            <Alert kind={kind} action={action}>
              {text}
            </Alert>
          </div>
        ))}
      </div>
    ),
    [toasts],
  );
  return (
    <ToastContext value={show}>
      {children}
      {list}
    </ToastContext>
  );
}
