import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const IMAGE = 'mongo:8';
const WITH_FRONT = 'arboleda-test/ferretdb';
const run = promisify(execFile);

/**
 * The MongoDB image for tests: MONGO_IMAGE, or the published one. If it is FerretDB, a proxy is built in: see
 * ferretdb/front.js.
 */
export async function mongoImage(): Promise<string> {
  const image = process.env.MONGO_IMAGE || IMAGE;
  if (!(await holdsFerretDb(image))) return image;
  const folder = join(import.meta.dirname, 'ferretdb');
  await run('docker', ['build', '--quiet', '--build-arg', `IMAGE=${image}`, '--tag', WITH_FRONT, folder]);
  return WITH_FRONT;
}

const holdsFerretDb = (image: string): Promise<boolean> =>
  run('docker', ['run', '--rm', '--entrypoint', 'sh', image, '-c', 'command -v ferretdb']).then(
    () => true,
    () => false,
  );
