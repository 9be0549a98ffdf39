import type { ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { originalKey } from '../photos/objects.ts';
import { sweepOrphans } from '../photos/orphans.ts';
import { startTestMedia, type TestMedia } from './media.ts';
import { picture } from './pictures.ts';

jest.setTimeout(60_000);

const logger = pino({ level: 'silent' });

let media: TestMedia;
let objects: ObjectStore;

beforeAll(async () => {
  media = await startTestMedia({ steps: [] });
  objects = await media.platform.objects('media');
});

afterAll(() => media.close());

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);
const sweep = (now: Date) => sweepOrphans({ store: media.store, objects, logger, now });

async function send(): Promise<string> {
  const [{ filename }] = (await media.upload([{ bytes: await picture().jpeg().toBuffer() }])).body.photos;
  return originalKey({ filename });
}
/** Leaves an original behind, as an upload whose process dies does. */
async function leave(name: string): Promise<string> {
  const key = originalKey({ filename: name });
  await objects.put(key, Buffer.from('an orphan'), 'image/jpeg');
  return key;
}
const areThere = async (...keys: string[]) =>
  Promise.all(keys.map(async (key) => (await objects.info(key)) !== undefined));

test('only an original without a photo is deleted after a day', async () => {
  const photos = [await send(), await send()];
  const orphan = await leave('AAAAAAAAAAAAAAAAAAAAAA.jpg');
  // Younger originals may belong to an upload in progress.
  await sweep(inHours(23));
  expect(await areThere(...photos, orphan)).toEqual([true, true, true]);
  await sweep(inHours(25));
  expect(await areThere(...photos, orphan)).toEqual([true, true, false]);
});

test('nothing is deleted when the bucket belongs to another store', async () => {
  const photos = [await send(), await send()];
  const empty = { byFilenames: async () => [] };
  await sweepOrphans({ store: empty, objects, logger, now: inHours(25) });
  expect(await areThere(...photos)).toEqual([true, true]);
});
