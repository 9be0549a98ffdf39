import { PHOTO_WIDTHS, type PhotoWidth } from '@arboleda/contracts/photo.ts';

export interface Photo {
  filename: string;
  width: number;
  height: number;
  takenAt?: string | undefined;
  uploadedAt: string;
}

/** Address of a photo at one of the server's widths; app pictures have their own address. */
export const photoAddress = ({ filename }: Pick<Photo, 'filename'>, width: PhotoWidth): string =>
  filename.startsWith('/') ? filename : `/api/photos/${encodeURIComponent(filename)}?w=${width}`;

/** `srcset` of a photo. @param from smallest useful width */
export const photoSrcSet = (photo: Photo, from: PhotoWidth = PHOTO_WIDTHS[0]): string =>
  PHOTO_WIDTHS.filter((width) => width >= from)
    .map((width) => `${photoAddress(photo, width)} ${width}w`)
    .join(', ');
