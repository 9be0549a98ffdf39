import { ORDER_STATUSES, type OrderStatus } from '@arboleda/contracts/order.ts';
import { Select, SelectItem, SelectPopover, SelectProvider } from '@ariakit/react/select';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../design/components/Badge.tsx';
import { Icon } from '../../design/components/Icon.tsx';
import { caretDown } from '../../design/components/icons.ts';
import styles from './StatusSelect.module.css';

interface Props {
  /** Accessible name. */
  label: string;
  status: OrderStatus;
  onChoose: (status: OrderStatus) => void;
}

/** Status badge that opens a menu of statuses. */
export function StatusSelect({ label, status, onChoose }: Props) {
  const { t } = useTranslation();
  return (
    <SelectProvider value={status} setValue={(value: string) => onChoose(value as OrderStatus)}>
      <Select
        className={`${styles.select} ${styles[status]}`}
        aria-label={`${label}: ${t(`status.${status}`)}`}
      >
        <Badge of={status}>{t(`status.${status}`)}</Badge>
        <span className={styles.caret}>
          <Icon of={caretDown} size="small" />
        </span>
      </Select>
      <SelectPopover
        className={styles.popover}
        gutter={4}
        unmountOnHide
        aria-label={label}
        // Escape closes the menu, not the dialog around it.
        hideOnEscape={(event) => {
          event.preventDefault();
          return true;
        }}
      >
        {ORDER_STATUSES.map((one) => (
          <SelectItem key={one} value={one} className={styles.item}>
            <Badge of={one}>{t(`status.${one}`)}</Badge>
          </SelectItem>
        ))}
      </SelectPopover>
    </SelectProvider>
  );
}
