import { waitFor } from '@arboleda/chassis/testing/wait.ts';
import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { fieldPhoto } from '../../testing/pictures.ts';
import { decode } from '../variants.ts';
import { openPictureProcess } from './client.ts';

// Pictures take their time on a busy machine.
jest.setTimeout(60_000);

const ps = (...columns: string[]) =>
  execFileSync('ps', ['-A', ...columns.flatMap((column) => ['-o', `${column}=`])], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));

/** The picture processes that a process has started. */
const startedBy = (parent: number): number[] =>
  ps('pid', 'ppid', 'args')
    .filter(
      ([, ppid, ...args]) => Number(ppid) === parent && args.join(' ').includes('pictures/process/main.ts'),
    )
    .map(([pid]) => Number(pid));

/** Those of other tests of media in this process, which end by and by. */
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
  test('makes what would have been made here', async () => {
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

  test('lets others go first, and knows no secret', async () => {
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

  test('says what it could not read, and goes on', async () => {
    const pictures = openPictureProcess({ endsAfterMs: 0 });
    const good = await pictures.decode(await fieldPhoto());
    await expect(pictures.decode(Buffer.from('no picture'))).rejects.toThrow('unsupported image format');
    expect((await good.encode(320, 'jpeg')).width).toBe(320);
    good.release();
  });

  test('may die: what was asked of it fails, and the next photo has another', async () => {
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

  test('may die with answers on their way, which harm nobody', async () => {
    const pictures = openPictureProcess({ endsAfterMs: 0 });
    for (let turn = 0; turn < 5; turn++) {
      const photo = await pictures.decode(await fieldPhoto());
      const asked = Array.from({ length: 8 }, () => photo.encode(320, 'jpeg'));
      // Some of them are answered: which, and whether before its end is told, is up to the system.
      await asked[0];
      process.kill(only(), 'SIGKILL');
      const outcomes = await Promise.allSettled(asked);
      expect(outcomes[0]!.status).toBe('fulfilled');
      photo.release();
    }
  });

  test('ends when there is nothing to do', async () => {
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

  test('ends with whoever started it, however that ends', async () => {
    const client = fileURLToPath(new URL('client.ts', import.meta.url));
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
