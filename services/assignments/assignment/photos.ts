import type { Change } from '@arboleda/chassis/ports/documents.ts';
import type { EventData } from '@arboleda/contracts/events/index.ts';
import { completeVisit } from '../growth/completion.ts';
import { arrived, type Assignment } from './assignment.ts';

export interface Photo {
  photoId: string;
  filename: string;
  uploadedAt: string;
  /** The growth visit it was taken on. */
  growthVisitId?: string | undefined;
  isHidden?: boolean | undefined;
  /** The photo's version that this is from. */
  sequence?: number | undefined;
}

/**
 * Adds a photo; one of a growth visit makes the visit done.
 * @throws Error when the order has not arrived yet: to be tried again.
 */
export function decidePhoto(
  before: Assignment | undefined,
  uploaded: EventData<'photo.uploaded'>,
): Change<Assignment> | undefined {
  const current = arrived(before, uploaded.orderId);
  const { photoId, filename, uploadedAt, growthVisitId } = uploaded;
  if (current.photos.some((photo) => photo.photoId === photoId)) return undefined;
  const photo: Photo = { photoId, filename, uploadedAt, ...(growthVisitId && { growthVisitId }) };
  const photos = [...current.photos, photo].sort(
    (a, b) => a.uploadedAt.localeCompare(b.uploadedAt) || a.photoId.localeCompare(b.photoId),
  );
  return completeVisit({ ...current, photos }, uploaded);
}

/**
 * An admin hides a photo from everybody but admins, or shows it again.
 * @param sequence the photo's version: an older one changes nothing
 * @throws Error when the photo has not arrived yet: to be tried again.
 */
export function decideVisibility(
  current: Assignment | undefined,
  { photoId, isHidden, sequence }: { photoId: string; isHidden: boolean; sequence: number },
): Change<Assignment> | undefined {
  const photo = current?.photos.find((one) => one.photoId === photoId);
  if (!current || !photo) throw new Error(`no photo ${photoId} yet`);
  if ((photo.sequence ?? -1) >= sequence) return undefined;
  const photos = current.photos.map((one) => (one === photo ? { ...one, isHidden, sequence } : one));
  return { document: { ...current, photos } };
}

/** Filenames that may be seen, oldest first; of one growth visit, or of all. */
export const shownPhotos = ({ photos }: Assignment, growthVisitId?: string): string[] =>
  photos
    .filter(
      (photo) => !photo.isHidden && (growthVisitId === undefined || photo.growthVisitId === growthVisitId),
    )
    .map((photo) => photo.filename);
