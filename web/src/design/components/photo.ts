import { PHOTO_WIDTHS, type PhotoWidth } from '@arboleda/contracts/photo.ts';

export interface Photo {
  filename: string;
  width: number;
  height: number;
  takenAt?: string | undefined;
  uploadedAt: string;
}

/** A photo re-encoded at one of the widths that the server keeps; a picture of the app itself, by its own address. */
export const photoAddress = ({ filename }: Pick<Photo, 'filename'>, width: PhotoWidth): string =>
  filename.startsWith('/') ? filename : `/api/photos/${encodeURIComponent(filename)}?w=${width}`;

/** For an img of a photo. @param from the smallest width that its place can do with */
export const photoSrcSet = (photo: Photo, from: PhotoWidth = PHOTO_WIDTHS[0]): string =>
  PHOTO_WIDTHS.filter((width) => width >= from)
    .map((width) => `${photoAddress(photo, width)} ${width}w`)
    .join(', ');
