/** sharp alone: node sharp-alone.ts <folder> <photos at a time>. Writes what it took as JSON. */
import { PHOTO_WIDTHS } from '@arboleda/contracts/photo.ts';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';

const [folder = '', atOnce = '1'] = process.argv.slice(2);
const photos = (await readdir(folder)).filter((name) => name.endsWith('.jpg'));

async function makeSizes(name: string): Promise<void> {
  const original = await readFile(join(folder, name));
  for (const width of PHOTO_WIDTHS) {
    const picture = sharp(original).autoOrient().resize({ width, withoutEnlargement: true });
    await writeFile(
      join(folder, `${name}.${width}`),
      await picture.jpeg({ quality: 80, progressive: true }).toBuffer(),
    );
  }
}

// Once for nothing: what is loaded at first use is no part of the work.
await makeSizes(photos[0]!);
const [startedAt, usedBefore] = [performance.now(), process.cpuUsage()];
const left = [...photos];
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    for (let name = left.pop(); name; name = left.pop()) await makeSizes(name);
  }),
);
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage(usedBefore);
console.log(JSON.stringify({ seconds, cpuSeconds: (user + system) / 1e6 }));
