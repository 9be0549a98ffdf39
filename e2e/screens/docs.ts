import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Language } from '../harness/texts.ts';
import { LOOKS, pictureName } from './pictures.ts';

/** Screens shown in the README, each in one language and width. */
export const DOCS: readonly { screen: string; name: string; language: Language; width: number }[] = [
  { screen: 'landing', name: 'landing', language: 'en', width: 1280 },
  { screen: 'checkout-card', name: 'checkout', language: 'es', width: 1280 },
  { screen: 'order-growing', name: 'order', language: 'en', width: 1280 },
  { screen: 'certificate', name: 'certificate', language: 'es', width: 1280 },
  { screen: 'gift', name: 'gift', language: 'en', width: 1280 },
  { screen: 'admin-transfer-review', name: 'review', language: 'en', width: 1280 },
  { screen: 'worker-assignments', name: 'worker', language: 'es', width: 360 },
];

/** Slightly more than the first window. */
const MAX_HEIGHT = { wide: 1000, narrow: 900 };

/** Makes the README's pictures of those that were taken. */
export async function writeDocs(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const { screen, name, language, width } of DOCS) {
    const look = LOOKS.find((one) => one.width === width && one.scheme === 'light')!;
    const picture = sharp(join(from, pictureName(screen, language, look)));
    const { width: taken, height } = await picture.metadata();
    await picture
      .extract({
        left: 0,
        top: 0,
        width: taken,
        height: Math.min(height, width < 600 ? MAX_HEIGHT.narrow : MAX_HEIGHT.wide),
      })
      .webp({ quality: 82 })
      .toFile(join(to, `${name}.webp`));
  }
}
