import type { Photo } from '@arboleda/media/photos/photo.ts';
import type { KeptPhotos } from '@arboleda/media/photos/photos.ts';
import type { MemoryRecords } from './records.ts';

/** The store of photos in memory, as far as the decisions on them need it. */
export function memoryPhotos(records: MemoryRecords<Photo>): KeptPhotos {
  const where = (isSought: (photo: Photo) => boolean) => records.all().filter(isSought);
  return {
    get: records.get,
    change: records.change,
    byFilenames: async (filenames) => where(({ filename }) => filenames.includes(filename)),
    byClientKey: async (clientKey) => where((photo) => photo.clientKey === clientKey)[0],
    ofFiles: async (contentHashes) => where(({ contentHash }) => contentHashes.includes(contentHash)),
  };
}
