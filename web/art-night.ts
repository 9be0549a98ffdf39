import sharp, { type Sharp } from 'sharp';

/** Far ridge and near forest of the dark theme; mist fades into its paper. */
const FAR = [0x1b, 0x2a, 0x22] as const;
const NEAR = [0x12, 0x3d, 0x2b] as const;
/** Luma of the palest mist and of the darkest forest that the day drawing uses for its land. */
const PALE = 235;
const DEEP = 70;
/** Ridges are greyer than this, leaves greener. */
const LEAF_CHROMA = 50;

/**
 * The same drawing at dusk: land and mist (greyish greens) move to the dark theme's ridges, the palest
 * farthest; leaves, blossom, wood, cloth and skin stay as they are, a little quieter. A sky painted on the plate itself
 * takes the farthest tone.
 */
export async function nightTone(day: Sharp, hasPaintedSky: boolean): Promise<Sharp> {
  const { data, info } = await day.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at += 4) {
    const red = data[at]!;
    const green = data[at + 1]!;
    const blue = data[at + 2]!;
    const luma = 0.299 * red + 0.587 * green + 0.114 * blue;
    const warmth = red - Math.max(green, blue) * 0.5 - blue * 0.5;
    const chroma = Math.max(red, green, blue) - Math.min(red, green, blue);
    const isLand = green >= red - 6 && red - blue < 40 && chroma < LEAF_CHROMA;
    if (hasPaintedSky && luma > 200 && red - blue < 60) {
      data.set(FAR, at);
    } else if (isLand && luma > DEEP) {
      const distance = Math.min(1, (luma - DEEP) / (PALE - DEEP));
      const texture = (1 - distance) * 0.9 + 0.25;
      for (let band = 0; band < 3; band++) {
        const ridge = NEAR[band]! + (FAR[band]! - NEAR[band]!) * distance;
        const own = data[at + band]! * 0.42;
        data[at + band] = Math.round(ridge * (1 - texture * 0.5) + own * texture * 0.5);
      }
    } else if (luma > 150) {
      const calm = warmth > 40 ? 0.94 : 0.86;
      for (let band = 0; band < 3; band++) data[at + band] = Math.round(data[at + band]! * calm);
    }
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } });
}
