import { type MinioOptions, openMinioObjects } from '../adapters/minio/minio.ts';
import type { ObjectStore } from '../ports/object-store.ts';
import { readFrames, toFrame, toLastFrame } from './format.ts';

/** Dumps a bucket's objects by key, so that equal buckets give equal dumps. Objects deleted meanwhile are left out. */
export async function* dumpObjects(options: MinioOptions): AsyncGenerator<Buffer> {
  const store = await openMinioObjects(options);
  let objects = 0;
  for (const key of await keysOf(store)) {
    const info = await store.info(key);
    const bytes = await store.read(key);
    if (!info || !bytes) continue;
    if (bytes.length !== info.sizeBytes)
      throw new Error(`the store holds ${info.sizeBytes} bytes of ${key} and gave ${bytes.length}`);
    objects++;
    yield toFrame({ key, contentType: info.contentType, bytes });
  }
  yield toLastFrame({ objects });
}

/** Restores into an empty bucket. @throws when it is not empty, or when the dump is incomplete */
export async function restoreObjects(
  options: MinioOptions,
  chunks: AsyncIterable<Uint8Array>,
): Promise<void> {
  const store = await openMinioObjects(options);
  const [there] = await keysOf(store);
  if (there !== undefined) throw new Error(`the bucket ${options.bucket} is not empty: ${there}`);
  for await (const { key, bytes, contentType } of readFrames(chunks))
    await store.put(key, bytes, contentType);
}

async function keysOf(store: ObjectStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list()) keys.push(key);
  return keys.sort();
}
