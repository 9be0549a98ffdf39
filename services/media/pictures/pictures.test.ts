import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { PHOTO_WIDTHS } from '@arboleda/contracts/photo.ts';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { FIELD_EXIF, fieldPhoto, picture, withRestarts } from '../test/pictures.ts';
import { widthsFor } from '../photos/photo.ts';
import { type Format, wantedFormat } from './formats.ts';
import { openPictureProcess } from './process/client.ts';
import { openOriginals } from './process/protocol.ts';
import { decode } from './variants.ts';

jest.setTimeout(60_000);

test.each([
  [undefined, 'jpeg'],
  ['', 'jpeg'],
  ['*/*', 'jpeg'],
  ['image/*', 'jpeg'],
  ['text/html', 'jpeg'],
  ['image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8', 'avif'],
  ['image/webp,image/png,image/*;q=0.8', 'webp'],
  ['image/webp', 'webp'],
  ['IMAGE/AVIF', 'avif'],
  ['image/jpeg,image/webp', 'webp'],
  ['image/jpeg, image/webp;q=0.5', 'jpeg'],
  ['image/avif;q=0.5, image/webp;q=0.9', 'webp'],
  ['image/avif;q=0, image/webp;q=0', 'jpeg'],
  ['image/avif;q=nonsense', 'avif'],
  ['image/webp;q=0.4, */*;q=0.5', 'jpeg'],
  [',;,;q=', 'jpeg'],
])('Accept %p selects %s', (accept, format) => {
  expect(wantedFormat(accept)).toBe(format);
});

describe('pictures made by the child process', () => {
  const ps = (...columns: string[]) =>
    execFileSync('ps', ['-A', ...columns.flatMap((column) => ['-o', `${column}=`])], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/));

  const startedBy = (parent: number): number[] =>
    ps('pid', 'ppid', 'args')
      .filter(
        ([, ppid, ...args]) => Number(ppid) === parent && args.join(' ').includes('pictures/process/main.ts'),
      )
      .map(([pid]) => Number(pid));

  /** Processes of other tests of media in this process; they end on their own. */
  let elsewhere: number[] = [];

  beforeEach(() => {
    elsewhere = startedBy(process.pid);
  });

  const own = (): number[] => startedBy(process.pid).filter((pid) => !elsewhere.includes(pid));

  const only = (): number => {
    const [pid, ...others] = own();
    expect(others).toEqual([]);
    return pid!;
  };

  describe('the picture process', () => {
    test('makes the same pictures as in-process code', async () => {
      const original = await fieldPhoto();
      const [here, there] = [
        await decode(Buffer.from(original)),
        await openPictureProcess({ endsAfterMs: 0 }).decode(original),
      ];
      expect(there.widths).toEqual(here.widths);
      for (const format of ['jpeg', 'webp'] as const) {
        expect(await there.encode(320, format)).toEqual(await here.encode(320, format));
      }
      there.release();
    });

    test('has low priority and no secrets', async () => {
      const photo = await openPictureProcess({ endsAfterMs: 0 }).decode(await fieldPhoto());
      const pid = only();
      const priorities = ps('pid', 'nice').find(([at]) => Number(at) === pid);
      const expected = Math.max(constants.priority.PRIORITY_BELOW_NORMAL, getPriority());
      expect(Number(priorities![1])).toBe(expected);
      const environment = execFileSync('ps', ['eww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
      expect(environment).toContain('PATH=');
      expect(environment).not.toContain('JEST_WORKER_ID');
      photo.release();
    });

    test('reports an unreadable file, and continues', async () => {
      const pictures = openPictureProcess({ endsAfterMs: 0 });
      const good = await pictures.decode(await fieldPhoto());
      await expect(pictures.decode(Buffer.from('no picture'))).rejects.toThrow('unsupported image format');
      expect((await good.encode(320, 'jpeg')).width).toBe(320);
      good.release();
    });

    test('may crash: its requests fail, and the next photo gets a new process', async () => {
      const pictures = openPictureProcess({ endsAfterMs: 0 });
      const photo = await pictures.decode(await fieldPhoto());
      const [before, asked] = [only(), photo.encode(320, 'avif')];
      process.kill(before, 'SIGKILL');
      await expect(asked).rejects.toThrow('the picture process ended (SIGKILL)');
      await expect(photo.encode(320, 'jpeg')).rejects.toThrow('the picture process ended');
      photo.release();
      const next = await pictures.decode(await fieldPhoto());
      expect(only()).not.toBe(before);
      next.release();
    });

    test('may crash while answers are on their way', async () => {
      const pictures = openPictureProcess({ endsAfterMs: 0 });
      for (let turn = 0; turn < 5; turn++) {
        const photo = await pictures.decode(await fieldPhoto());
        const asked = Array.from({ length: 8 }, () => photo.encode(320, 'jpeg'));
        // Depending on timing, some are answered before the crash is reported.
        await asked[0];
        process.kill(only(), 'SIGKILL');
        const outcomes = await Promise.allSettled(asked);
        expect(outcomes[0]!.status).toBe('fulfilled');
        photo.release();
      }
    });

    test('ends when idle', async () => {
      const pictures = openPictureProcess({ endsAfterMs: 50 });
      const photos = await Promise.all([
        pictures.decode(await fieldPhoto()),
        pictures.decode(await fieldPhoto()),
      ]);
      for (const photo of photos) {
        only();
        photo.release();
      }
      await waitFor(async () => own().length === 0);
    });

    test('ends with its parent, however that ends', async () => {
      const client = fileURLToPath(new URL('process/client.ts', import.meta.url));
      const source = `
      import { openPictureProcess } from ${JSON.stringify(client)};
      const photo = await openPictureProcess().decode(Buffer.from(${JSON.stringify((await fieldPhoto()).toString('base64'))}, 'base64'));
      console.log('decoded');
      setInterval(() => photo, 1000);`;
      const parent = spawn(process.execPath, ['--input-type=module', '--eval', source], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(parent.stdout, 'data');
      const [pid] = startedBy(parent.pid!);
      parent.kill('SIGKILL');
      await waitFor(async () => !ps('pid').some(([at]) => Number(at) === pid));
    });
  });
});

test('consecutive files in a stream are separated, however it is chunked', async () => {
  const files = [10, 0, 70_000, 1, 200_000].map((size) => Buffer.from(randomBytes(size)));
  const stream = new PassThrough();
  const next = openOriginals(stream);
  const taken = files.map(({ length }) => next(length));
  const all = Buffer.concat(files);
  for (let at = 0; at < all.length; at += 7_001) {
    stream.write(all.subarray(at, at + 7_001));
    if (at % 3 === 0) await new Promise(setImmediate);
  }
  for (const [index, file] of files.entries()) expect((await taken[index]!).equals(file)).toBe(true);
});

/** Makes every size of a photo in one format, smallest first. */
async function makeVariants(original: Buffer, format: Format = 'jpeg') {
  const { widths, encode } = await decode(original);
  return Promise.all(widths.map((width) => encode(width, format)));
}

const sizes = async (original: Buffer) =>
  (await makeVariants(original)).map(({ nominalWidth, width, height }) => [nominalWidth, width, height]);

const sizesOf = (width: number, height: number) =>
  widthsFor(width).map((nominalWidth) => {
    const shown = Math.min(nominalWidth, width);
    return [nominalWidth, shown, Math.round((height * shown) / width)];
  });

/** The colour in the middle of a JPEG. */
async function middle(jpeg: Buffer): Promise<number[]> {
  const { data, info } = await sharp(jpeg).raw().toBuffer({ resolveWithObject: true });
  const at = (Math.floor(info.height / 2) * info.width + Math.floor(info.width / 2)) * info.channels;
  return [...data.subarray(at, at + 3)];
}

test('released pixels stay until pending pictures are made, and no longer', async () => {
  const { encode, release } = await decode(await picture(2000, 1500).jpeg().toBuffer());
  const begun = encode(1600, 'webp');
  release();
  const { bytes } = await begun;
  expect(await sharp(bytes).metadata()).toMatchObject({ format: 'webp', width: 1600 });
  await new Promise(setImmediate);
  await expect(encode(320, 'jpeg')).rejects.toThrow();
});

describe('the sizes of a photo', () => {
  test('are complete, and report their true dimensions', async () => {
    const made = await makeVariants(await picture(2000, 1500).jpeg().toBuffer());
    expect(made.map(({ width }) => width)).toEqual(PHOTO_WIDTHS);
    for (const { bytes, width, height } of made) {
      expect(await sharp(bytes).metadata()).toMatchObject({ format: 'jpeg', width, height });
    }
  });

  test('are made of a photo with more errors than libvips tolerates by default', async () => {
    const wrong = withRestarts(await picture(400, 300).jpeg().toBuffer(), 4);
    await expect(sharp(wrong, { failOn: 'none' }).raw().toBuffer()).rejects.toThrow(/RST/);
    expect(await sizes(wrong)).toEqual(sizesOf(400, 300));
  });

  test('never exceed the original', async () => {
    expect(await sizes(await picture(500, 400).jpeg().toBuffer())).toEqual(sizesOf(500, 400));
    expect(await sizes(await picture(100, 80).jpeg().toBuffer())).toEqual([[PHOTO_WIDTHS[0], 100, 80]]);
  });

  test('are upright when the camera was rotated', async () => {
    const lying = await picture(1000, 500).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await sizes(lying)).toEqual(sizesOf(500, 1000));
  });

  test('contain no place, time or camera', async () => {
    expect((await sharp(await fieldPhoto()).metadata()).exif).toBeDefined();
    for (const { bytes } of await makeVariants(await fieldPhoto())) {
      const { exif, xmp, iptc, icc, orientation } = await sharp(bytes).metadata();
      expect({ exif, xmp, iptc, icc, orientation }).toEqual({});
      expect(bytes.includes(FIELD_EXIF.IFD0.Make)).toBe(false);
    }
  });

  test('have a white background for transparency', async () => {
    const clear = sharp({ create: { width: 40, height: 40, channels: 4, background: '#0000' } });
    const [made] = await makeVariants(await clear.png().toBuffer());
    expect(await middle(made!.bytes)).toEqual([255, 255, 255]);
  });

  test('keep the colours of CMYK and 16-bit originals', async () => {
    const green = sharp({ create: { width: 40, height: 40, channels: 3, background: '#208040' } });
    const sources = [
      await green.clone().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
      await green.clone().toColourspace('rgb16').png().toBuffer(),
    ];
    for (const source of sources) {
      const [red, green, blue] = await middle((await makeVariants(source))[0]!.bytes);
      expect(Math.abs(red! - 0x20)).toBeLessThan(24);
      expect(Math.abs(green! - 0x80)).toBeLessThan(24);
      expect(Math.abs(blue! - 0x40)).toBeLessThan(24);
    }
  });

  test('show the first frame of an animation', async () => {
    const frames = Buffer.concat([Buffer.alloc(30 * 30 * 3, 250), Buffer.alloc(30 * 30 * 3, 5)]);
    const raw = { width: 30, height: 60, channels: 3, pageHeight: 30 } as const;
    const animation = await sharp(frames, { raw }).gif().toBuffer();
    expect((await sharp(animation, { pages: -1 }).metadata()).pages).toBe(2);
    const [made] = await makeVariants(animation);
    expect(made).toMatchObject({ width: 30, height: 30 });
    expect((await middle(made!.bytes))[0]).toBeGreaterThan(240);
  });

  test.each(['webp', 'avif'] as const)('are the same as %s, without metadata', async (format) => {
    const jpegs = await makeVariants(await fieldPhoto());
    const made = await makeVariants(await fieldPhoto(), format);
    expect(made.map(({ bytes: _, ...size }) => size)).toEqual(jpegs.map(({ bytes: _, ...size }) => size));
    for (const { bytes, width, height } of made) {
      const metadata = await sharp(bytes).metadata();
      expect(metadata).toMatchObject({ mediaType: `image/${format}`, width, height });
      expect(metadata.exif).toBeUndefined();
    }
  });

  test('are made of a strip thinner than a JPEG can hold', async () => {
    const strip = await sharp({ create: { width: 50, height: 70_000, channels: 3, background: '#284' } })
      .png()
      .toBuffer();
    for (const { height } of await makeVariants(strip)) expect(height).toBeLessThanOrEqual(4800);
  });
});
