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
  /** Beside the close button, such as previous and next. */
  tools?: ReactNode;
  /** widest: side-by-side comparison; wide: order details; normal: a question. */
  width?: 'normal' | 'wide' | 'widest';
}

/**
 * Native modal dialog: traps focus, closes on Escape and restores focus. Libraries inject style elements, which the
 * content security policy forbids.
 */
export function Dialog({ open, onClose, title, children, actions, tools, width = 'normal' }: Props) {
  const { t } = useTranslation();
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  /** Distinguishes closing by the app, or while the page is hidden, from closing by the user. */
  const closedByApp = useRef(false);
  const [closings, setClosings] = useState(0);
  // Close before unmounting; afterwards the dialog cannot restore the focus.
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
    // React bubbles "close" from nested dialogs, which must not close this one.
    if (event.target !== dialog.current) return;
    if (closedByApp.current) closedByApp.current = false;
    else if (open) {
      onClose();
      // The owner may keep it open, for example to ask about unsaved input.
      setClosings(closings + 1);
    }
  };
  /** Escape only requests closing; `open` decides. */
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
