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
