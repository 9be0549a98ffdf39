import { useId, useLayoutEffect, useRef, useState, type ReactNode, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from './Icon.tsx';
import { close } from './icons.ts';
import styles from './Dialog.module.css';

interface Props {
  open: boolean;
  onClose: () => void;
  title: ReactNode;
  children: ReactNode;
  /** Buttons, the way back first. */
  actions?: ReactNode;
  /** Beside the way out: to the one before and after. */
  tools?: ReactNode;
  /** widest: things to hold side by side; wide: details of an order; normal: a question. */
  width?: 'normal' | 'wide' | 'widest';
}

/**
 * The browser's own modal: it holds the focus, closes with Escape and gives the focus back. (A library would write
 * style elements into the page, which the content security policy forbids.)
 */
export function Dialog({ open, onClose, title, children, actions, tools, width = 'normal' }: Props) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  /** Closed because the app says so, or for as long as its page is out of sight: nobody's wish to close it. */
  const closedByApp = useRef(false);
  const [closings, setClosings] = useState(0);
  // Before it leaves the page: later it could not give the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!open || !element) return;
    if (!element.open) element.showModal();
    return () => {
      if (!element.open) return;
      closedByApp.current = true;
      element.close();
    };
  }, [open, closings]);
  const onClosed = (event: SyntheticEvent) => {
    // React lets "close" bubble: a photo closed inside this dialog is no reason to close it.
    if (event.target !== dialog.current) return;
    if (closedByApp.current) closedByApp.current = false;
    else if (open) {
      onClose();
      // Whoever shows it may want it to stay, to ask about what was typed.
      setClosings(closings + 1);
    }
  };
  /** Escape is a wish; whether it closes is said by `open`. */
  const onCancel = (event: SyntheticEvent) => {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      className={`${styles.dialog} ${styles[width]}`}
      aria-labelledby={titleId}
      onClose={onClosed}
      onCancel={onCancel}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      {open && (
        <div className={styles.content}>
          <div className={styles.head}>
            <h2 id={titleId} className="sub-title" tabIndex={-1}>
              {title}
            </h2>
            {tools && <div className={styles.tools}>{tools}</div>}
            <button type="button" className={styles.close} aria-label={t('close')} onClick={onClose}>
              <Icon of={close} />
            </button>
          </div>
          {children}
          {actions && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
    </dialog>
  );
}
