import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { PublicOrder } from '../../api/order.ts';
import { Button } from '../../design/components/Button.tsx';
import { PhotoGrid } from '../../design/components/PhotoGrid.tsx';
import { AllPhotosDownload, savePhoto } from './PhotoDownloads.tsx';
import styles from '../order.module.css';

interface Photo {
  growthUpdate?: number | undefined;
}

/** Photos of the planting, and of growth updates by number, latest first. */
export function albumsOf<Taken extends Photo>(photos: readonly Taken[]) {
  const planting = photos.filter(({ growthUpdate }) => growthUpdate === undefined);
  const numbers = [...new Set(photos.flatMap(({ growthUpdate }) => growthUpdate ?? []))].sort(
    (a, b) => b - a,
  );
  return {
    planting,
    updates: numbers.map((number) => ({
      number,
      photos: photos.filter(({ growthUpdate }) => growthUpdate === number),
    })),
  };
}

interface Props {
  order: Pick<PublicOrder, 'shortId' | 'photos'>;
  arrangement: 'story' | 'even';
  atFirst: number;
}

/** All photos of an order; one is saved from its full view, all of them by the button below. */
export function Album({ order, arrangement, atFirst }: Props) {
  const { t } = useTranslation('order');
  const { planting, updates } = albumsOf(order.photos);
  const onDownload = ({ filename }: { filename: string }) => savePhoto(order, filename);
  return (
    <div className={styles.albums}>
      <Some photos={planting} arrangement={arrangement} atFirst={atFirst} onDownload={onDownload} />
      {updates.map(({ number, photos: taken }) => (
        <div key={number} className={styles.update}>
          <p className={styles.updateTitle}>{t('album.update', { number })}</p>
          <Some photos={taken} arrangement="even" atFirst={atFirst} onDownload={onDownload} />
        </div>
      ))}
      {order.photos.length > 1 && (
        <div className={styles.downloads}>
          <AllPhotosDownload order={order} />
        </div>
      )}
    </div>
  );
}

interface SomeProps extends Omit<Props, 'order'> {
  photos: PublicOrder['photos'];
  onDownload: (photo: { filename: string }) => Promise<void>;
}

function Some({ photos, arrangement, atFirst, onDownload }: SomeProps) {
  const { t } = useTranslation('order');
  const [all, setAll] = useState(false);
  const id = useId();
  if (photos.length === 0) return null;
  const isLong = photos.length > atFirst;
  return (
    <div className={styles.album}>
      <div id={id}>
        <PhotoGrid
          photos={all || !isLong ? photos : photos.slice(0, atFirst)}
          arrangement={arrangement}
          onDownload={onDownload}
        />
      </div>
      {isLong && (
        <Button aria-expanded={all} aria-controls={id} onClick={() => setAll(!all)}>
          {all ? t('album.fewer') : t('album.all', { count: photos.length })}
        </Button>
      )}
    </div>
  );
}
