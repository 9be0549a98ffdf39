export interface Photo {
  filename: string;
  width: number;
  height: number;
  takenAt?: string | undefined;
  uploadedAt: string;
}

/** A photo re-encoded at one of the widths that the server keeps; a picture of the app itself, by its own address. */
export const photoAddress = ({ filename }: Pick<Photo, 'filename'>, width: 320 | 800 | 1600): string =>
  filename.startsWith('/') ? filename : `/api/photos/${encodeURIComponent(filename)}?w=${width}`;
