import { MAX_CHOSEN } from '@arboleda/contracts/order.ts';
import { useTranslation } from 'react-i18next';
import { Button } from '../../design/components/Button.tsx';
import { useFormats } from '../../i18n/format.ts';
import { useMay } from '../permissions.tsx';
import styles from './Bulk.module.css';
import type { BulkKind } from './BulkDialog.tsx';
import type { OrderRow } from './orders.ts';

interface Props {
  chosen: readonly OrderRow[];
  onAct: (kind: BulkKind) => void;
  onClear: () => void;
}

const NEEDS = { assign: 'assignments:write', status: 'orders:write', export: 'orders:export' } as const;

/** Actions for chosen orders. */
export function useBulkKinds(): BulkKind[] {
  const may = useMay();
  return (['assign', 'status', 'export'] as const).filter((kind) => may(NEEDS[kind]));
}

/** Actions on the chosen orders, in reach wherever the list is scrolled to. */
export function BulkBar({ chosen, onAct, onClear }: Props) {
  const { t } = useTranslation('admin');
  const { t: common } = useTranslation();
  const formats = useFormats();
  const kinds = useBulkKinds();
  const trees = chosen.reduce((sum, order) => sum + order.trees, 0);
  const tooMany = chosen.length > MAX_CHOSEN;
  return (
    <div role="region" aria-label={t('bulk.label')} className={styles.bar}>
      <p role="status">
        <strong>{t('bulk.chosen', { count: chosen.length })}</strong>{' '}
        <span className="quiet">
          {tooMany
            ? t('bulk.tooMany', { most: formats.number(MAX_CHOSEN) })
            : common('trees', { count: trees })}
        </span>
      </p>
      {kinds.map((kind) => (
        <Button key={kind} size="small" disabled={tooMany} onClick={() => onAct(kind)}>
          {t(`bulk.acts.${kind}`)}
        </Button>
      ))}
      <Button size="small" look="text" onClick={onClear}>
        {t('bulk.clear')}
      </Button>
    </div>
  );
}
