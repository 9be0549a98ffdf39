import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Alert } from './Alert.tsx';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

interface Props {
  open: boolean;
  onClose: () => void;
  title: string;
  children?: ReactNode;
  /** Names the action, never "OK". */
  confirm: string;
  onConfirm: () => void;
  working?: string | false;
  error?: ReactNode;
  destructive?: boolean;
}

/** Asks for confirmation, and stays open when the action fails. */
export function ConfirmDialog({
  open,
  onClose,
  title,
  children,
  confirm,
  onConfirm,
  working = false,
  error,
  destructive = false,
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
          <Button
            look={destructive ? 'solid-destructive' : 'secondary'}
            working={working}
            onClick={onConfirm}
          >
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
