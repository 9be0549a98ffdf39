import { keysOf, type MinioOptions, openMinioObjects } from '../adapters/minio/minio.ts';
import { readFrames, toFrame } from './frames.ts';

/** Every object of a bucket, by key: the same objects are the same bytes. One that goes meanwhile was to go. */
export async function* dumpObjects(options: MinioOptions): AsyncGenerator<Buffer> {
  const store = await openMinioObjects(options);
  for (const key of await keysOf(options)) {
    const info = await store.info(key);
    const bytes = await store.read(key);
    if (info && bytes) yield toFrame({ key, contentType: info.contentType, bytes });
  }
}

/** Into a bucket in which nothing is. @throws when something is there */
export async function restoreObjects(
  options: MinioOptions,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const store = await openMinioObjects(options);
  const [there] = await keysOf(options);
  if (there !== undefined) throw new Error(`the bucket ${options.bucket} is not empty: ${there}`);
  for await (const { key, bytes, contentType } of readFrames(chunks))
    await store.put(key, bytes, contentType);
}
