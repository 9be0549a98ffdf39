import type { AdminPhoto } from '@arboleda/contracts/endpoints/media-admin.ts';
import { flagsOf } from '../photos/flags.ts';
import type { Photo } from '../photos/photo.ts';

/** @param sameFiles photos of the same files as this one and others; its own file's others are named with it */
export function adminView(photo: Photo, sameFiles: readonly Photo[]): AdminPhoto {
  const largest = photo.variants.at(-1);
  const { _id, filename, orderId, assignmentId, growthVisitId, originalName, contentType, sizeBytes } = photo;
  const { takenAt, takenAtFrom, coordinates, coordinatesFrom, accuracyMetres, distanceMetres } = photo;
  return {
    _id, filename, orderId, assignmentId, growthVisitId, originalName, contentType, sizeBytes,
    worker: { workerId: photo.workerId, name: photo.workerName },
    uploadedAt: photo.uploadedAt,
    isReady: photo.state === 'ready',
    width: largest?.width,
    height: largest?.height,
    takenAt, takenAtFrom, coordinates, coordinatesFrom,
    accuracyMetres, distanceMetres,
    flags: flagsOf(photo),
    usedElsewhere: sameFiles
      .filter((other) => other._id !== _id && other.contentHash === photo.contentHash)
      .map(reference),
    hidden: photo.hidden,
    decisions: photo.decisions ?? [],
  }; // prettier-ignore
}

const reference = ({ _id, filename, orderId, assignmentId, growthVisitId }: Photo) => ({
  _id,
  filename,
  orderId,
  assignmentId,
  growthVisitId,
});
