import type { PhotoWidth } from '@arboleda/contracts/photo.ts';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Answer } from '../../api/client.ts';
import type { Fact } from '../../design/components/Facts.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { PortalCall } from '../../session/session.ts';
import { useMay } from '../permissions.tsx';
import { usePrivateFile } from '../shared/files.tsx';

export type FlaggedPhoto = Answer<'GET /api/admin/photos'>['photos'][number];

/** The public rendition of a photo, also while hidden. */
export const usePicture = (call: PortalCall, filename: string, w: `${PhotoWidth}`) =>
  usePrivateFile(['photo', filename, w], (signal) =>
    call('GET /api/admin/photos/{filename}', {
      params: { filename },
      query: { w },
      headers: { accept: 'image/avif,image/webp,image/jpeg' },
      signal,
    }),
  );

/** Hidden automatically on arrival, without a decision yet. */
export const isUndecided = ({ hidden }: FlaggedPhoto): boolean => hidden?.by.role === 'system';

/** Upper bound of the count on the overview. */
const MOST_COUNTED = 100;

export function useUndecidedCount(call: PortalCall) {
  const may = useMay();
  return useQuery({
    queryKey: ['admin', 'photos', 'handed-over'],
    enabled: may('photos:read'),
    queryFn: async ({ signal }) => {
      const query = { flag: 'after-reassignment', hidden: 'true', limit: MOST_COUNTED } as const;
      const { photos } = await call('GET /api/admin/photos', { query, signal });
      return photos.filter(isUndecided).length;
    },
  });
}

export function useDecidePhoto(call: PortalCall, photo: FlaggedPhoto) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ isHidden, reason }: { isHidden: boolean; reason: string }) =>
      isHidden
        ? call('POST /api/admin/photos/{id}/hide', { params: { id: photo._id }, body: { reason } })
        : call('POST /api/admin/photos/{id}/restore', { params: { id: photo._id }, body: { reason } }),
    onSettled: () =>
      Promise.all(
        ['photos', 'order', 'orders'].map((name) =>
          queryClient.invalidateQueries({ queryKey: ['admin', name] }),
        ),
      ),
  });
}

export function usePhotoFacts(photo: FlaggedPhoto): Fact[] {
  const { t } = useTranslation('panels');
  const formats = useFormats();
  const when = (at: string) => formats.moment(at);
  const unknown = t('photos.unknown');
  const { takenAt, takenAtFrom, coordinates, coordinatesFrom, distanceMetres } = photo;
  return [
    { label: t('photos.why'), value: photo.flags.map((flag) => t(`photos.flags.${flag}`)).join(', ') },
    { label: t('photos.worker'), value: photo.worker.name ?? photo.worker.workerId },
    {
      label: t('photos.taken'),
      value: takenAt
        ? `${when(takenAt)}${takenAtFrom ? ` (${t(`photos.from.${takenAtFrom}`)})` : ''}`
        : unknown,
    },
    { label: t('photos.sent'), value: when(photo.uploadedAt) },
    {
      label: t('photos.place'),
      value: coordinates
        ? `${coordinates.latitude.toFixed(6)}, ${coordinates.longitude.toFixed(6)}${
            coordinatesFrom ? ` (${t(`photos.from.${coordinatesFrom}`)})` : ''
          }`
        : unknown,
    },
    {
      label: t('photos.distance'),
      value: distanceMetres === undefined ? unknown : formats.distance(distanceMetres),
    },
    { label: t('photos.file'), value: photo.originalName },
  ];
}
