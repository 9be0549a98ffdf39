import { Client } from 'minio';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { finished } from 'node:stream/promises';
import type { ObjectInfo, ObjectStore } from '../../ports/object-store.ts';
import { keySegments } from '../object-key.ts';
import { transportTo } from './transport.ts';

export interface MinioOptions {
  /** http(s)://host:port */
  endpoint: string;
  accessKey: string;
  secretKey: string;
  region: string;
  bucket: string;
  /** Timeout of a silent store. Also the longest pause of a reader of a stream. */
  silenceMs?: number;
}

const SILENCE_MS = 10_000;

/**
 * An ObjectStore in a bucket of MinIO or another S3 service. A missing bucket is created, private to its owner.
 * @throws while the store is unavailable: see transport.ts for its errors
 */
export async function openMinioObjects(options: MinioOptions): Promise<ObjectStore> {
  const { bucket } = options;
  const client = openClient(options);
  // Without TLS, signing the content protects its integrity.
  const signsContent = new URL(options.endpoint).protocol === 'http:';
  await makeBucket(client, bucket);

  const store: ObjectStore = {
    engine: 'minio',
    async put(key, bytes, contentType, digest) {
      const name = nameOf(key);
      const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      if (signsContent && digest && content.length > 0) {
        return reconnecting(() => putSigned(client, { bucket, name, content, contentType, digest }));
      }
      await reconnecting(() =>
        client.putObject(bucket, name, content, content.length, { 'Content-Type': contentType }),
      );
    },

    async get(key, range) {
      const name = nameOf(key);
      const { start, length } = within(range);
      try {
        const answer = await reconnecting(() => client.getPartialObject(bucket, name, start, length));
        const bytes = answer as IncomingMessage;
        return { info: infoOf(bytes.headers), bytes };
      } catch (error) {
        if (codeOf(error) === 'InvalidRange')
          throw new RangeError('range outside the object', { cause: error });
        return absent(error);
      }
    },

    async read(key) {
      const found = await store.get(key);
      return found && buffer(found.bytes);
    },

    async info(key) {
      const name = nameOf(key);
      try {
        const { size, etag, metaData } = await reconnecting(() => client.statObject(bucket, name));
        return { sizeBytes: size, contentType: metaData['content-type'] as string, etag };
      } catch (error) {
        return absent(error);
      }
    },

    async *list(folder) {
      const prefix = folder === undefined ? '' : `${nameOf(folder)}/`;
      // A store that pauses breaks a list off. Names come in order, so it goes on after the last one, once.
      let after = '';
      for (let isBroken = false; ;) {
        try {
          for await (const found of client.listObjectsV2(bucket, prefix, true, after)) {
            const { name, lastModified } = found as { name: string; lastModified: Date };
            yield { key: name, storedAt: lastModified };
            after = name;
            isBroken = false;
          }
          return;
        } catch (error) {
          if (isBroken) throw error;
          isBroken = true;
        }
      }
    },

    async delete(key) {
      const name = nameOf(key);
      await reconnecting(() => client.removeObject(bucket, name));
    },

    async check() {
      if (!(await isThere(client, bucket))) throw new Error(`no bucket ${bucket}`);
    },
  };
  return store;
}

function openClient({
  endpoint,
  accessKey,
  secretKey,
  region,
  silenceMs = SILENCE_MS,
}: MinioOptions): Client {
  const { protocol, hostname, port } = new URL(endpoint);
  const { transport, agent } = transportTo(protocol, silenceMs);
  return new Client({
    endPoint: hostname,
    ...(port && { port: Number(port) }),
    useSSL: protocol === 'https:',
    accessKey,
    secretKey,
    region,
    transport: transport as NonNullable<ConstructorParameters<typeof Client>[0]['transport']>,
    transportAgent: agent,
    // Callers decide about retries.
    retryOptions: { disableRetry: true },
  });
}

/** @throws with the code of the refusal */
async function isThere(client: Client, bucket: string): Promise<boolean> {
  try {
    return await reconnecting(() => client.bucketExists(bucket));
  } catch (error) {
    // The answer to a HEAD has no body, so it does not tell a wrong password from a missing permission.
    if (codeOf(error) === 'AccessDenied') await finished(client.listObjectsV2(bucket).resume());
    throw error;
  }
}

/** Replicas that start together may race to create the bucket. */
async function makeBucket(client: Client, bucket: string): Promise<void> {
  if (await isThere(client, bucket)) return;
  try {
    await client.makeBucket(bucket);
  } catch (error) {
    if (!(await client.bucketExists(bucket))) throw error;
  }
}

/** For an object with a known SHA-256. putObject() would copy the content, and hash it again by SHA-256 and MD5. */
async function putSigned(
  client: Client,
  object: { bucket: string; name: string; content: Buffer; contentType: string; digest: string },
): Promise<void> {
  const { bucket, name, content, contentType, digest } = object;
  const headers = { 'Content-Type': contentType, 'Content-Length': content.length };
  const request = { method: 'PUT' as const, bucketName: bucket, objectName: name, headers };
  const sha256 = Buffer.from(digest, 'base64url').toString('hex');
  const answer = await client.makeRequestStreamAsync(request, content, sha256, [200], '');
  answer.resume();
  await finished(answer);
}

/** @throws RangeError */
const nameOf = (key: string): string => keySegments(key).join('/');

/** @throws RangeError for an empty range */
function within(range: { start: number; end: number } | undefined): { start: number; length: number } {
  if (!range) return { start: 0, length: 0 };
  const { start, end } = range;
  if (start < 0 || start > end) throw new RangeError('range outside the object');
  return { start, length: end - start + 1 };
}

/** Content-Range of a partial answer ends with the size of the whole object. */
function infoOf(headers: IncomingHttpHeaders): ObjectInfo {
  const size = headers['content-range']?.split('/').at(-1) ?? headers['content-length'];
  return {
    sizeBytes: Number(size),
    contentType: headers['content-type']!,
    etag: headers.etag!.replaceAll('"', ''),
  };
}

/**
 * Repeats a call whose keep-alive connection was closed while idle, for instance by a restart of the store. All
 * calls here are idempotent.
 */
async function reconnecting<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!['ECONNRESET', 'EPIPE'].includes(codeOf(error) ?? '')) throw error;
    return ask();
  }
}

function absent(error: unknown): undefined {
  if (['NoSuchKey', 'NotFound'].includes(codeOf(error) ?? '')) return undefined;
  throw error;
}

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | undefined)?.code;
