import { LARGEST_PHOTO_WIDTH } from '@arboleda/contracts/photo.ts';
import { copyFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { waitFor } from '../../harness/wait.ts';
import { startFileNginx } from '../peers/nginx.ts';
import { CORES } from '../peers/processes.ts';
import { takePhoto } from '../photos/camera.ts';
import { openPhotoStand } from '../photos/stand.ts';

/** A request for a file. */
export interface Served {
  name: string;
  path: string;
}

/** A server of the same photo and the same script. */
export interface Contestant {
  name: string;
  url: string;
  /** Its processes, for what they use of the processor. */
  pids: readonly number[];
  photo: Served;
  script: Served;
}

const ASSETS = fileURLToPath(new URL('../../../web/dist/client/assets', import.meta.url));

/** The gateway and media on one core, nginx on the same with copies of the files; all of them are stopped by `close`. */
export async function openContestants() {
  const closers: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const one of closers.splice(0).reverse()) await one();
  };
  try {
    const stand = await openPhotoStand();
    closers.push(() => stand.close());
    const media = await stand.startMedia(CORES.measured);
    closers.push(() => media.stop());
    const gateway = await stand.startGateway(media.url, CORES.measured);
    closers.push(() => gateway.stop());

    const { _id, filename } = await stand.accept(await takePhoto(1));
    const done = async () => (await stand.store.get(_id))?.hasModern === true;
    await waitFor('the pictures of a photo', done, 120_000);
    const photoPath = `/api/photos/${filename}?w=${LARGEST_PHOTO_WIDTH}`;
    const photo = Buffer.from(await (await fetch(`${gateway.url}${photoPath}`)).arrayBuffer());
    const script = await largestScript();

    const folder = await mkdtemp(join(tmpdir(), 'arboleda-served-'));
    closers.push(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'photo.jpg'), photo);
    await copyFile(join(ASSETS, script), join(folder, 'script.js'));
    const scriptBytes = (await readFile(join(ASSETS, script))).length;

    const photoName = `photo of ${LARGEST_PHOTO_WIDTH} px, ${kb(photo.length)}`;
    const scriptName = `script of the web app, ${kb(scriptBytes)}`;
    const contestants: Contestant[] = [
      {
        name: 'Arboleda',
        url: gateway.url,
        pids: [gateway.pid, media.pid],
        photo: { name: photoName, path: photoPath },
        script: { name: scriptName, path: `/assets/${script}` },
      },
    ];
    const nginx = await startFileNginx(folder);
    if (nginx) {
      closers.push(() => nginx.stop());
      contestants.push({
        name: 'nginx',
        url: nginx.url,
        pids: [nginx.pid],
        photo: { name: photoName, path: '/photo.jpg' },
        script: { name: scriptName, path: '/script.js' },
      });
    }
    return { contestants, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const kb = (bytes: number): string => `${(bytes / 1000).toFixed(0)} kB`;

async function largestScript(): Promise<string> {
  const names = (await readdir(ASSETS)).filter((name) => name.endsWith('.js'));
  const sizes = await Promise.all(names.map(async (name) => (await readFile(join(ASSETS, name))).length));
  return names[sizes.indexOf(Math.max(...sizes))]!;
}
