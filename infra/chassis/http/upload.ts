import { MAX_UPLOAD_BYTES, type Upload } from '@arboleda/contracts/endpoint.ts';
import { Problem, type ProblemType } from '@arboleda/contracts/problems.ts';
import busboy from 'busboy';
import type { Request } from 'express';
import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { releaseMemory } from './release-memory.ts';

interface BufferedFile {
  bytes: Buffer;
  /** SHA-256 in base64url. */
  digest: string;
  /** Frees the memory at once. `bytes` is empty afterwards. */
  release(): void;
}

/** Collects the chunks of a file in one Buffer. Each chunk is copied once, hashed and freed. */
interface UploadBuffer {
  add(piece: Buffer): void;
  /** Drops what was added. */
  drop(): void;
  end(): BufferedFile;
}

/** @param expectedBytes best guess of the size; memory that is reserved but not written is not used */
export function openUploadBuffer(expectedBytes: number): UploadBuffer {
  const hash = createHash('sha256');
  let memory = Buffer.alloc(0);
  let length = 0;
  const move = (size: number) => {
    const other = Buffer.allocUnsafeSlow(size);
    memory.copy(other, 0, 0, length);
    releaseMemory(memory);
    memory = other;
  };
  return {
    add(piece) {
      const needed = length + piece.length;
      if (needed > memory.length) move(Math.max(expectedBytes, needed, memory.length * 2));
      memory.set(piece, length);
      length = needed;
      hash.update(piece);
      releaseMemory(piece);
    },
    drop() {
      releaseMemory(memory);
      memory = Buffer.alloc(0);
      length = 0;
    },
    end() {
      // The reserved size was for several files, and this one is small.
      if (memory.length > 2 * length) move(length);
      return {
        bytes: memory.subarray(0, length),
        digest: hash.digest('base64url'),
        release: () => releaseMemory(memory),
      };
    },
  };
}

/** Memory for all uploads of a process. Only bytes that have arrived count. */
const MAX_HELD_BYTES = 300_000_000;

export interface UploadMemory {
  /**
   * Counts the bytes of one request until it is answered. The returned function returns false when the limit is
   * reached.
   */
  hold(response: ServerResponse): (bytes: number) => boolean;
}

export function openUploadMemory(maxHeldBytes = MAX_HELD_BYTES): UploadMemory {
  let heldBytes = 0;
  return {
    hold(response) {
      let own = 0;
      let answered = false;
      response.once('close', () => {
        answered = true;
        heldBytes -= own;
      });
      return (bytes) => {
        if (answered || heldBytes + bytes > maxHeldBytes) return false;
        own += bytes;
        heldBytes += bytes;
        return true;
      };
    },
  };
}

/** Empty when `isTooLarge`. */
export interface UploadedFile extends BufferedFile {
  /** The client's name for it; must not be used as a path. */
  originalName: string;
  /** The client's claim; verify before trusting. */
  contentType: string;
  /** Exceeds the size limit; only where one such file does not reject the others. */
  isTooLarge?: true;
}

interface Multipart {
  fields: Record<string, string>;
  files: UploadedFile[];
}

/** Initial buffer for a body without Content-Length. */
const UNKNOWN_BYTES = 262_144;
const MAX_FIELDS = 50;
const MAX_FIELD_BYTES = 10_000;
const RETRY_AFTER_SECONDS = 5;

/**
 * Reads a multipart body with one repeated file field and text fields. The rest of a rejected body is read and
 * dropped, so that the client gets the answer.
 * @param hold reserves memory for each chunk: see UploadMemory
 * @throws Problem that names the file: `too-many-files`, `photo-too-large` or the upload's own;
 * `unsupported-media-type`, `malformed-request`, `body-too-large`, or `unavailable` while memory is used up
 */
export async function readMultipart(
  request: Request,
  upload: Upload,
  hold: (bytes: number) => boolean,
): Promise<Multipart> {
  const parser = openParser(request, upload);
  const fields: Record<string, string> = {};
  const files: UploadedFile[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Multipart>();
  const fail = (problem: Problem) => {
    request.unpipe(parser);
    request.resume();
    reject(problem);
  };
  const malformed = (cause?: unknown) => fail(new Problem('malformed-request', { cause }));
  let count = 0;
  let totalBytes = 0;
  const announcedBytes = Number(request.headers['content-length'] ?? UNKNOWN_BYTES);

  const readFile = (name: string, stream: Readable, info: busboy.FileInfo) => {
    const index = count++;
    const buffer = openUploadBuffer(Math.min(upload.maxBytes + 1, announcedBytes - totalBytes));
    stream.on('error', malformed);
    let isTooLarge = false;
    stream.on('limit', () => {
      if (!upload.perFile) {
        return fail(fileProblem(upload.tooLarge ?? 'photo-too-large', `${name}.${index}`));
      }
      isTooLarge = true;
      buffer.drop();
    });
    stream.on('data', (chunk: Buffer) => {
      totalBytes += chunk.length;
      if (totalBytes > MAX_UPLOAD_BYTES) return fail(new Problem('body-too-large'));
      if (!hold(chunk.length)) {
        return fail(new Problem('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS }));
      }
      // Chunks still arrive after the limit is reached.
      if (isTooLarge) releaseMemory(chunk);
      else buffer.add(chunk);
    });
    stream.on('end', () => {
      const { filename = '', mimeType } = info;
      const file = { originalName: filename, contentType: mimeType, ...buffer.end() };
      files[index] = isTooLarge ? { ...file, isTooLarge } : file;
    });
  };

  parser.on('field', (name, value) => void (fields[name] = value));
  parser.on('file', (name, stream, info) => {
    if (name === upload.field) return readFile(name, stream, info);
    stream.on('error', malformed).resume();
    fail(new Problem('validation-failed', { fields: [{ path: name, type: 'unknown-value' }] }));
  });
  parser.on('filesLimit', () => fail(fileProblem('too-many-files', upload.field)));
  parser.on('fieldsLimit', () => malformed());
  parser.on('partsLimit', () => malformed());
  parser.on('error', malformed);
  parser.on('close', () => resolve({ fields, files }));

  const onClose = () => {
    if (!request.complete) malformed();
  };
  request.once('close', onClose);
  if (request.destroyed) onClose();
  request.pipe(parser);
  return promise.finally(() => request.off('close', onClose));
}

const fileProblem = (type: ProblemType, path: string): Problem =>
  new Problem(type, { fields: [{ path, type }] });

function openParser(request: Request, upload: Upload): busboy.Busboy {
  if (!request.is('multipart/form-data')) throw new Problem('unsupported-media-type');
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: {
        files: upload.maxCount,
        // busboy truncates at the limit itself, and a file of exactly the limit is allowed.
        fileSize: upload.maxBytes + 1,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        parts: upload.maxCount + MAX_FIELDS + 1,
      },
    });
  } catch (cause) {
    throw new Problem('malformed-request', { cause });
  }
}
