import { fieldPhoto, type NamedPicture, PLACE } from '@arboleda/cli/demo/photos.ts';

/** A drawn photo as a telephone takes it, with place and time. */
export const photo = (
  drawing = 'ph-planting.jpg',
  takenAt = new Date(),
  name = 'IMG_0001.jpg',
): Promise<NamedPicture> => fieldPhoto(drawing, PLACE, takenAt, name);

/** The same picture in another file: a comment behind the JPEG's first marker (ITU T.81, B.2.4.5). */
export const withComment = (jpeg: Uint8Array, text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(commentedParts(jpeg, text)));

/** The same without copying: parts that follow one another. */
export function commentedParts(jpeg: Uint8Array, text: string): Uint8Array[] {
  const comment = Buffer.from(text);
  const marker = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 0xff]);
  return [jpeg.subarray(0, 2), marker, comment, jpeg.subarray(2)];
}
