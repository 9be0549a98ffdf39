import sharp, { type Sharp } from 'sharp';

type Colour = readonly [number, number, number];

/** Dark-theme colors of the far ridge and near forest; mist fades into the paper. */
const FAR: Colour = [0x1b, 0x2a, 0x22];
const NEAR: Colour = [0x12, 0x3d, 0x2b];
/** Luma bounds of the land in the day drawing: palest mist and darkest forest. */
const PALE = 235;
const DEEP = 70;

export interface Night {
  /** In small scenes leaves are foreground and stay green; in a wide scene they belong to the land. */
  keepsLeaves: boolean;
  /** A painted sky takes the farthest tone; without one the page shows through. */
  hasPaintedSky: boolean;
}

/**
 * Recolors a drawing for the dark theme: land and mist (greyish greens) move to dark ridges, everything else is muted
 * slightly. Pixels are blended, not classified, so that edges stay smooth.
 */
export async function nightTone(day: Sharp, night: Night): Promise<Sharp> {
  const { data, info } = await day.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  for (let at = 0; at < data.length; at += 4) {
    const colour: Colour = [data[at]!, data[at + 1]!, data[at + 2]!];
    const luma = 0.299 * colour[0] + 0.587 * colour[1] + 0.114 * colour[2];
    if (night.hasPaintedSky && luma > 200 && colour[0] - colour[2] < 60) {
      data.set(FAR, at);
      continue;
    }
    const land = landShare(colour, luma, night.keepsLeaves);
    const dusk = duskOf(colour, luma);
    const calm = luma > 150 ? 0.93 : 1;
    for (let band = 0; band < 3; band++) {
      data[at + band] = Math.round(dusk[band]! * land + colour[band]! * calm * (1 - land));
    }
  }
  return sharp(data, { raw: { width: info.width, height: info.height, channels: 4 } });
}

/** Share of land or mist in a pixel, 0 to 1. */
function landShare([red, green, blue]: Colour, luma: number, keepsLeaves: boolean): number {
  const chroma = Math.max(red, green, blue) - Math.min(red, green, blue);
  const isGrey = 1 - ramp(chroma, 16, 30);
  const isGreen = ramp(green - red, -8, -2) * (1 - ramp(red - blue, 30, 46));
  const isLeaf = keepsLeaves ? ramp(chroma, 40, 56) : 0;
  return Math.max(isGreen * (1 - isLeaf), isGrey * ramp(luma, 140, 180)) * ramp(luma, DEEP - 20, DEEP);
}

function duskOf(colour: Colour, luma: number): Colour {
  const distance = Math.min(1, Math.max(0, (luma - DEEP) / (PALE - DEEP)));
  const texture = ((1 - distance) * 0.9 + 0.25) * 0.5;
  const band = (at: 0 | 1 | 2) => {
    const ridge = NEAR[at] + (FAR[at] - NEAR[at]) * distance;
    return ridge * (1 - texture) + colour[at] * 0.42 * texture;
  };
  return [band(0), band(1), band(2)];
}

const ramp = (value: number, from: number, to: number): number =>
  Math.min(1, Math.max(0, (value - from) / (to - from)));
