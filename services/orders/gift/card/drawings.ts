import type { GiftCard } from '@arboleda/contracts/gift.ts';

interface Scene {
  sky: string;
  /** Sun or moon: centre and radius. */
  light: { x: number; y: number; radius: number; colour: string };
  /** Ridges from far to near, as filled paths. */
  ridges: readonly (readonly [path: string, colour: string])[];
  /** Foot, height and colours of each tree. */
  trees: readonly { x: number; y: number; height: number; crown: string; stem: string }[];
}

const FOREST = '#123D2B';
const LEAF = '#2F7A4E';
const GOLD = '#F4B41A';
const HILL = 'M0 150 C30 120 70 128 100 140 L100 200 L0 200 Z';

/** On an area of 100 by 200 points. */
const SCENES: Record<GiftCard, Scene> = {
  sapling: {
    sky: '#F3EAD2',
    light: { x: 70, y: 48, radius: 16, colour: GOLD },
    ridges: [
      ['M0 132 C28 112 66 116 100 126 L100 200 L0 200 Z', '#CFDDBF'],
      [HILL, '#7DA683'],
      ['M0 172 C36 156 72 160 100 170 L100 200 L0 200 Z', FOREST],
    ],
    trees: [{ x: 48, y: 164, height: 52, crown: LEAF, stem: FOREST }],
  },
  valley: {
    sky: '#DCEBE6',
    light: { x: 26, y: 40, radius: 13, colour: '#F8D57E' },
    ridges: [
      ['M0 104 L24 70 L46 98 L72 58 L100 100 L100 200 L0 200 Z', '#9CBDB4'],
      ['M0 128 L30 100 L58 130 L84 104 L100 122 L100 200 L0 200 Z', '#5F947F'],
      [HILL, LEAF],
      ['M0 176 C30 150 74 168 100 158 L100 200 L0 200 Z', FOREST],
    ],
    trees: [
      { x: 20, y: 160, height: 22, crown: FOREST, stem: FOREST },
      { x: 78, y: 154, height: 26, crown: FOREST, stem: FOREST },
    ],
  },
  forest: {
    sky: '#E8F0DC',
    light: { x: 52, y: 42, radius: 20, colour: '#F6E3A4' },
    ridges: [
      ['M0 122 C34 104 64 112 100 104 L100 200 L0 200 Z', '#A9C79F'],
      ['M0 174 C36 160 70 166 100 156 L100 200 L0 200 Z', FOREST],
    ],
    trees: [
      { x: 16, y: 150, height: 58, crown: '#7DA683', stem: '#5B7F63' },
      { x: 86, y: 146, height: 64, crown: '#7DA683', stem: '#5B7F63' },
      { x: 34, y: 168, height: 84, crown: LEAF, stem: FOREST },
      { x: 68, y: 166, height: 96, crown: '#1F5E3C', stem: FOREST },
    ],
  },
  night: {
    sky: '#14243B',
    light: { x: 66, y: 44, radius: 14, colour: '#F5EBC8' },
    ridges: [
      ['M0 112 L28 82 L52 108 L80 72 L100 104 L100 200 L0 200 Z', '#24405A'],
      [HILL, '#1B3A40'],
      ['M0 176 C30 156 74 164 100 154 L100 200 L0 200 Z', '#0B2219'],
    ],
    trees: [
      { x: 28, y: 164, height: 46, crown: '#10352A', stem: '#0B2219' },
      { x: 52, y: 162, height: 30, crown: '#16443A', stem: '#0B2219' },
    ],
  },
};

/** Fills an area whose height is twice its width, and more above it. */
export function drawScene(
  document: PDFKit.PDFDocument,
  card: GiftCard,
  { x, y, width, height }: { x: number; y: number; width: number; height: number },
): void {
  const { sky, light, ridges, trees } = SCENES[card];
  document.save().rect(x, y, width, height).clip();
  document.rect(x, y, width, height).fill(sky);
  document.translate(x, y).scale(width / 100, height / 200);
  document.circle(light.x, light.y, light.radius).fill(light.colour);
  for (const [path, colour] of ridges) document.path(path).fill(colour);
  for (const { x: foot, y: ground, height: tall, crown, stem } of trees) {
    const top = ground - tall;
    document
      .path(`M${foot} ${ground} L${foot} ${top + tall * 0.3}`)
      .lineWidth(Math.max(1, tall / 30))
      .stroke(stem);
    document.ellipse(foot, top + tall * 0.32, tall * 0.24, tall * 0.32).fill(crown);
    document.ellipse(foot - tall * 0.15, top + tall * 0.46, tall * 0.16, tall * 0.18).fill(crown);
    document.ellipse(foot + tall * 0.15, top + tall * 0.42, tall * 0.15, tall * 0.18).fill(crown);
  }
  document.restore();
}
