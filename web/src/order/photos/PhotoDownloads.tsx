import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../api/save-file.ts';
import type { PublicOrder } from '../../api/order.ts';
import { loadChunk } from '../../design/load-chunk.ts';
import { Alert } from '../../design/components/Alert.tsx';
import { Button } from '../../design/components/Button.tsx';
import { download } from '../../design/components/icons.ts';

type Order = Pick<PublicOrder, 'shortId' | 'photos'>;

const loadFiles = () => loadChunk(() => import('./photo-files.ts'));

/** Saves one photo of an order under the order's name and the photo's number. */
export async function savePhoto({ shortId, photos }: Order, filename: string): Promise<void> {
  const { fetchPhoto, photoFileName } = await loadFiles();
  const number = photos.findIndex((photo) => photo.filename === filename) + 1;
  saveFile(await fetchPhoto({ filename }), photoFileName(shortId, number));
}

/** Saves all photos of an order in one zip file, which the browser makes. */
export function AllPhotosDownload({ order }: { order: Order }) {
  const { t } = useTranslation('order');
  const { shortId, photos } = order;
  const [arrived, setArrived] = useState(0);
  const saving = useMutation({
    mutationFn: async () => {
      setArrived(0);
      const { zipPhotos } = await loadFiles();
      saveFile(await zipPhotos(photos, shortId, setArrived), `arboleda-${shortId}.zip`);
    },
  });
  const count = photos.length;
  return (
    <>
      <Button
        icon={download}
        working={saving.isPending && t('album.downloading', { number: Math.min(arrived + 1, count), count })}
        onClick={() => saving.mutate()}
      >
        {t('album.download', { count })}
      </Button>
      {saving.isSuccess && <Alert kind="good">{t('album.downloaded')}</Alert>}
      {saving.isError && <Alert kind="wrong">{t('album.downloadFailed')}</Alert>}
    </>
  );
}
