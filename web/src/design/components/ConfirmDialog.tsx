import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from './Alert.tsx';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  /** What will happen, and whether it can be undone. */
  children?: ReactNode;
  /** The act's own word, never "OK". */
  confirm: string;
  onConfirm: () => void;
  /** What is going on after the confirmation. */
  working?: string | false;
  /** Why it did not happen. */
  error?: ReactNode;
  grave?: boolean;
}

/** Asks before an act, says what it will do, and stays open when it fails. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  confirm,
  onConfirm,
  working = false,
  error,
  grave = false,
}: Props) {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button look={grave ? 'solid-destructive' : 'secondary'} working={working} onClick={onConfirm}>
            {confirm}
          </Button>
        </>
      }
    >
      {children}
      {error && <Alert kind="wrong">{error}</Alert>}
    </Dialog>
  );
}
