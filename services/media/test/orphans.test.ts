import type { ObjectStore } from '@arboleda/chassis/ports/object-store.ts';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { pino } from 'pino';
import { originalKey } from '../photos/objects.ts';
import { sweepOrphans } from '../photos/orphans.ts';
import { startTestMedia, type TestMedia } from '../testing/media.ts';
import { picture } from '../testing/pictures.ts';

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
/** As an upload leaves it whose process dies before the photo is kept. */
async function leave(name: string): Promise<string> {
  const key = originalKey({ filename: name });
  await objects.put(key, Buffer.from('an orphan'), 'image/jpeg');
  return key;
}
const areThere = async (...keys: string[]) =>
  Promise.all(keys.map(async (key) => (await objects.info(key)) !== undefined));

test('an original whose photo was never kept is removed after a day, and no other', async () => {
  const photos = [await send(), await send()];
  const orphan = await leave('AAAAAAAAAAAAAAAAAAAAAA.jpg');
  // Until then it may be an upload in hand.
  await sweep(inHours(23));
  expect(await areThere(...photos, orphan)).toEqual([true, true, true]);
  await sweep(inHours(25));
  expect(await areThere(...photos, orphan)).toEqual([true, true, false]);
});

test('nothing is removed when the bucket belongs to another store of photos', async () => {
  const photos = [await send(), await send()];
  const empty = { byFilenames: async () => [] };
  await sweepOrphans({ store: empty, objects, logger, now: inHours(25) });
  expect(await areThere(...photos)).toEqual([true, true]);
});
