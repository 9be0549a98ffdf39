import {
  createContext,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from './Alert.tsx';
import { Icon } from './Icon.tsx';
import { close as cross } from './icons.ts';
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

/** Shows a transient message; an error stays until closed. Field errors belong beside their field instead. */
export const useToast = (): Show => useContext(ToastContext);

export function Toasts({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  /** Pauses timeouts under pointer or focus. */
  const [isPaused, setPaused] = useState(false);
  const nextId = useRef(0);
  const show = useCallback<Show>((toast) => {
    const id = nextId.current++;
    setToasts((shown) => [...shown, { ...toast, id }]);
  }, []);
  const drop = useCallback((id: number) => {
    setToasts((shown) => shown.filter((one) => one.id !== id));
    setPaused(false);
  }, []);
  const list = useMemo(
    () => (
      <div
        className={styles.toasts}
        aria-live="polite"
        onPointerEnter={() => setPaused(true)}
        onPointerLeave={() => setPaused(false)}
        onFocus={() => setPaused(true)}
        onBlur={() => setPaused(false)}
      >
        {toasts.map((toast) => (
          <ShownToast key={toast.id} toast={toast} isPaused={isPaused} onDrop={drop} />
        ))}
      </div>
    ),
    [toasts, isPaused, drop],
  );
  return (
    <ToastContext value={show}>
      {children}
      {list}
    </ToastContext>
  );
}

interface ShownProps {
  toast: Toast;
  isPaused: boolean;
  onDrop: (id: number) => void;
}

function ShownToast({ toast: { id, kind, text, action }, isPaused, onDrop }: ShownProps) {
  const { t } = useTranslation();
  const stays = isPaused || kind === 'wrong';
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => onDrop(id), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [id, stays, onDrop]);
  return (
    <div className={styles.toast}>
      <Alert kind={kind} action={action}>
        {text}
      </Alert>
      <button type="button" className={styles.close} aria-label={t('close')} onClick={() => onDrop(id)}>
        <Icon of={cross} />
      </button>
    </div>
  );
}
