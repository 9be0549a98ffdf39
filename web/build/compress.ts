import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const TEXT = /\.(html|js|css|svg|json|txt|xml|webmanifest)$/;
/** Below this the headers outweigh the saving. */
const MIN_BYTES = 512;

const brotli = promisify(brotliCompress);
const gz = promisify(gzip);

export async function compressAll(
  folder: string,
): Promise<{ files: number; bytes: number; compressedBytes: number }> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(
    names.filter((name) => TEXT.test(name)).map((name) => compress(join(folder, name))),
  );
  return {
    files: sizes.length,
    bytes: sizes.reduce((sum, [whole]) => sum + whole, 0),
    compressedBytes: sizes.reduce((sum, [, small]) => sum + small, 0),
  };
}

async function compress(file: string): Promise<[number, number]> {
  const content = await readFile(file);
  if (content.length < MIN_BYTES) return [content.length, content.length];
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
  const [small, older] = await Promise.all([brotli(content, { params }), gz(content, { level: 9 })]);
  await Promise.all([writeFile(`${file}.br`, small), writeFile(`${file}.gz`, older)]);
  return [content.length, small.length];
}
