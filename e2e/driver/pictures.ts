import { fieldPhoto, PHOTOS } from '@arboleda/cli/demo/photos.ts';
import { readFile } from 'node:fs/promises';

/** A file as a form or a file picker sends it. */
export interface NamedPicture {
  name: string;
  mimeType: string;
  buffer: Buffer<ArrayBuffer>;
}

/** A photo that a telephone may send again under the same name of its own. */
export interface KnownPicture extends NamedPicture {
  clientId?: string;
}

/** Where workers plant unless a test says otherwise. */
export const PLACE = { latitude: 4.637214, longitude: -75.487031 };

/** A drawn photo as a telephone takes it, with place and time. */
export async function photo(
  drawing = 'ph-planting.jpg',
  takenAt = new Date(),
  name = 'IMG_0001.jpg',
): Promise<NamedPicture> {
  const blob = await fieldPhoto(drawing, PLACE, takenAt);
  return { name, mimeType: 'image/jpeg', buffer: Buffer.from(await blob.arrayBuffer()) };
}

/** A drawn receipt of a bank transfer. */
export async function receipt(drawing = 'transfer-school.jpg', name = drawing): Promise<NamedPicture> {
  return { name, mimeType: 'image/jpeg', buffer: await readFile(new URL(drawing, PHOTOS)) };
}

export function pictureForm(
  field: string,
  pictures: readonly NamedPicture[],
  texts: Record<string, string | number> = {},
): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(texts)) form.append(name, String(value));
  for (const { name, mimeType, buffer } of pictures)
    form.append(field, new Blob([buffer], { type: mimeType }), name);
  return form;
}

/** The same picture in another file: a comment behind the JPEG's first marker (ITU T.81, B.2.4.5). */
export const withComment = (jpeg: Uint8Array, text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat(commentedParts(jpeg, text)));

/** The same without copying: parts that follow one another. */
export function commentedParts(jpeg: Uint8Array, text: string): Uint8Array[] {
  const comment = Buffer.from(text);
  const marker = Buffer.from([0xff, 0xfe, (comment.length + 2) >> 8, (comment.length + 2) & 0xff]);
  return [jpeg.subarray(0, 2), marker, comment, jpeg.subarray(2)];
}
