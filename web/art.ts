/**
 * Generates the shipped pictures and their index module from the original drawings. Run by hand when a drawing changes:
 * `node art.ts <folder of drawings> [one scene]`; results are committed.
 */
import { copyFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { nightTone, type Night } from './art-night.ts';

const MAX_BYTES = 90_000;
/** An eighth of a second at 1.6 Mbit/s, in AVIF. */
const FIRST_MAX_BYTES = 26_000;
/** Phone screens have two or three device pixels per CSS pixel, so lower quality suffices. */
const FIRST_QUALITIES = [34, 30, 26];
/** Inline placeholder until the picture loads: phone width, and small enough to add hardly a round trip. */
const PREVIEW = { width: 440, quality: 18 };
const QUALITIES = [64, 52, 42, 34, 26, 20];
const OUT = join(import.meta.dirname, 'src/art');

/**
 * Source file, shipped widths, whether to make a dark variant, and whether phones show it first, which limits its size.
 */
const SCENES: Record<string, { file: string; widths: number[]; night: boolean; first?: boolean }> = {
  hero: { file: 'hero.webp', widths: [1280, 1920], night: true },
  heroPhone: { file: 'hero-m.webp', widths: [390, 780], night: true, first: true },
  impact: { file: 'impact.webp', widths: [1280, 2560], night: false },
  impactPhone: { file: 'impact-m.webp', widths: [390, 780], night: false },
  offer: { file: 'offer.webp', widths: [440, 880], night: true },
  offerPhone: { file: 'offer-m.webp', widths: [390, 780], night: true },
  treeline: { file: 'treeline.webp', widths: [1280, 2560], night: false },
  aside: { file: 'aside.webp', widths: [392, 784], night: true },
  packageIndividual: { file: 'pkg-one.svg', widths: [352, 704], night: true },
  packageGrove: { file: 'pkg-grove.webp', widths: [352, 704], night: true },
  packagePatch: { file: 'pkg-patch.webp', widths: [352, 704], night: true },
  packageCustom: { file: 'pkg-own.svg', widths: [352, 704], night: true },
  stepPhotos: { file: 'st-6.webp', widths: [132, 264], night: false },
  stepGrowth: { file: 'st-7.webp', widths: [132, 264], night: false },
  fieldValley: { file: 'ph-valley.jpg', widths: [800, 1600], night: false },
  fieldPortrait: { file: 'ph-portrait.jpg', widths: [800, 1600], night: false },
  fieldSapling: { file: 'ph-sapling.jpg', widths: [800, 1600], night: false },
};

/** Wide scenes are recolored whole; in small ones the plants stand in front. */
const nightOf = (name: string): Night => ({
  keepsLeaves: !name.startsWith('hero'),
  hasPaintedSky: name.startsWith('offer'),
});

const DRAWINGS = /^(sp-|st-\d|founder-|mission).*\.svg$/;

/** Encodes at the best quality within the scene's size limit. */
async function encode(
  picture: Sharp,
  format: 'avif' | 'webp',
  file: string,
  isFirst: boolean,
): Promise<number> {
  const isLight = isFirst && format === 'avif';
  const maxBytes = isLight ? FIRST_MAX_BYTES : MAX_BYTES;
  const qualities = isLight ? FIRST_QUALITIES : QUALITIES;
  const chromaSubsampling = isLight ? '4:2:0' : '4:4:4';
  for (const quality of qualities) {
    const copy = picture.clone();
    const bytes = await (
      format === 'avif'
        ? copy.avif({ quality, effort: isLight ? 6 : 4, chromaSubsampling })
        : copy.webp({ quality, effort: 6, smartSubsample: true })
    ).toBuffer();
    if (bytes.length <= maxBytes || quality === qualities.at(-1)) {
      await writeFile(join(OUT, file), bytes);
      return bytes.length;
    }
  }
  return 0;
}

async function open(path: string, width: number): Promise<Sharp> {
  const picture = path.endsWith('.svg') ? sharp(path, { density: 288 }) : sharp(path);
  return sharp(await picture.resize({ width }).png().toBuffer());
}

async function makePreview(name: string, path: string): Promise<void> {
  const picture = await open(path, PREVIEW.width);
  const avif = { quality: PREVIEW.quality, effort: 9, chromaSubsampling: '4:2:0' };
  const { size } = await picture.avif(avif).toFile(join(OUT, `${name}-preview.avif`));
  console.log(`${name}-preview.avif  ${Math.round(size / 1024)} kB`);
}

async function makeScene(name: string, folder: string, isMade: boolean): Promise<string[]> {
  const { file, widths, night, first = false } = SCENES[name]!;
  const imports: string[] = [];
  const sets: string[] = [];
  for (const tone of night ? ['', 'Night'] : ['']) {
    for (const format of ['avif', 'webp'] as const) {
      const entries: string[] = [];
      for (const width of widths) {
        const id = `${name}${tone}${width}${format}`;
        const out = `${name}${tone}-${width}.${format}`;
        if (isMade) {
          const day = await open(join(folder, file), width);
          const picture = tone ? await nightTone(day, nightOf(name)) : day;
          const bytes = await encode(picture, format, out, first);
          console.log(`${out}  ${Math.round(bytes / 1024)} kB`);
        }
        imports.push(`import ${id} from './${out}';`);
        entries.push(`\${${id}} ${width}w`);
      }
      sets.push(`  ${format}${tone}: \`${entries.join(', ')}\`,`);
    }
  }
  if (first && isMade) await makePreview(name, join(folder, file));
  const { width, height } = await sharp(join(folder, file)).metadata();
  const largest = widths.at(-1)!;
  return [
    ...imports,
    `export const ${name}: Scene = {`,
    ...sets,
    `  src: ${name}${largest}webp,`,
    `  width: ${largest},`,
    `  height: ${Math.round((largest * height) / width)},`,
    `};`,
    '',
  ];
}

const folder = process.argv[2];
if (!folder) throw new Error('Which folder holds the drawings? node art.ts <folder>');
const only = process.argv[3];
for (const old of await readdir(OUT)) if (!only && /\.(avif|webp)$/.test(old)) await rm(join(OUT, old));
for (const file of await readdir(folder))
  if (DRAWINGS.test(file)) await copyFile(join(folder, file), join(OUT, file));
const parts = await Promise.all(
  Object.keys(SCENES).map((name) => makeScene(name, folder, !only || only === name)),
);
await writeFile(
  join(OUT, 'scenes.ts'),
  [
    '// Written by art.ts: change that file, not this one.',
    "import type { Scene } from './scene.ts';",
    '',
    ...parts.flat(),
  ].join('\n'),
);
