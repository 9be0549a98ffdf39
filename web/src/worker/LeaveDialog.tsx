import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '../design/components/ConfirmDialog.tsx';

interface Props {
  /** 0 while nobody wants to log out. */
  unsent: number;
  onStay: () => void;
  onLeave: () => void;
}

/** Confirms logging out while items are unsent. */
export function LeaveDialog({ unsent, onStay, onLeave }: Props) {
  const { t } = useTranslation('worker');
  return (
    <ConfirmDialog
      open={unsent > 0}
      onClose={onStay}
      title={t('leave.title', { count: unsent })}
      confirm={t('leave.confirm')}
      onConfirm={onLeave}
    >
      <p>{t('leave.text')}</p>
    </ConfirmDialog>
  );
}
