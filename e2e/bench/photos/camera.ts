import sharp from 'sharp';

/** 12 MP, as telephones take them. */
const WIDTH = 4000;
const HEIGHT = 3000;
/** Shapes of a hundred pixels and more; what a sensor adds to them, in steps of brightness. */
const SHAPES_WIDTH = 48;
const GRAIN = 11;
const QUALITY = 88;

/**
 * A photo as a telephone takes it: smooth shapes with light grain, 12 MP, 3 MB of JPEG. The same for the same seed, and
 * another file for another.
 */
export async function takePhoto(seed: number): Promise<Buffer> {
  const random = randomOf(seed);
  const shapesHeight = (SHAPES_WIDTH * HEIGHT) / WIDTH;
  const shapes = Uint8Array.from({ length: SHAPES_WIDTH * shapesHeight * 3 }, () => 40 + random() * 170);
  const pixels = await sharp(shapes, { raw: { width: SHAPES_WIDTH, height: shapesHeight, channels: 3 } })
    .resize(WIDTH, HEIGHT, { kernel: 'cubic' })
    .raw()
    .toBuffer();
  for (let at = 0; at < pixels.length; at += 3) {
    const grain = Math.round((random() - 0.5) * 2 * GRAIN);
    for (let channel = at; channel < at + 3; channel++) {
      pixels[channel] = Math.max(0, Math.min(255, pixels[channel]! + grain));
    }
  }
  return sharp(pixels, { raw: { width: WIDTH, height: HEIGHT, channels: 3 } })
    .jpeg({ quality: QUALITY })
    .toBuffer();
}

/** Lehmer's generator: 0 up to 1. */
function randomOf(seed: number): () => number {
  let state = (seed * 7919 + 1) % 2_147_483_647;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
