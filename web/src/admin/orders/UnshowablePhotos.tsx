import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { Alert } from '../../design/components/Alert.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import styles from './OrderDialog.module.css';
import { useMay } from '../permissions.tsx';
import { KEYS } from './orders.ts';

/** Photos of an order that cannot be shown, with what to do about them. */
export function UnshowablePhotos({ call, id }: { call: PortalCall; id: string }) {
  const { t } = useTranslation('admin');
  const formats = useFormats();
  const may = useMay();
  const { data = [] } = useQuery({
    queryKey: KEYS.part(id, 'unshowable'),
    enabled: may('photos:read'),
    queryFn: async ({ signal }) => {
      const query = { order: id, flag: 'cannot-be-shown', hidden: 'false' } as const;
      return (await call('GET /api/admin/photos', { query, signal })).photos;
    },
  });
  return data.map(({ _id, originalName, worker, uploadedAt }) => (
    <div key={_id} className={styles.notice}>
      <Alert kind="wrong">
        {t('details.unshowable', {
          file: originalName,
          worker: worker.name ?? worker.workerId,
          day: formats.day(uploadedAt),
        })}{' '}
        <Link to={`?view=photos&flag=cannot-be-shown&photo=${_id}`}>{t('details.seePhotos')}</Link>
      </Alert>
    </div>
  ));
}
