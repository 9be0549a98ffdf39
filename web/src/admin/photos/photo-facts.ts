import { useTranslation } from 'react-i18next';
import type { Fact } from '../../design/components/Facts.tsx';
import { useFormats } from '../../i18n/format.ts';
import type { FlaggedPhoto } from './photos.ts';

/** What is known of a photo beside what its order says. */
export function usePhotoFacts(photo: FlaggedPhoto): Fact[] {
  const { t } = useTranslation('desk');
  const formats = useFormats();
  const when = (at: string) => `${formats.day(at)}, ${formats.time(at)}`;
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
      value:
        distanceMetres === undefined
          ? unknown
          : t('photos.metres', { metres: formats.number(Math.round(distanceMetres)) }),
    },
    { label: t('photos.file'), value: photo.originalName },
  ];
}
