import { Problem } from '@arboleda/contracts/problems.ts';
import type { Upload } from '@arboleda/contracts/endpoint.ts';
import busboy from 'busboy';
import type { Request } from 'express';

export interface UploadedFile {
  /** As the sender called it; never to be used as a path. */
  originalName: string;
  /** As the sender claims; sniff before trusting. */
  contentType: string;
  bytes: Buffer;
}

export interface Multipart {
  fields: Record<string, string>;
  files: UploadedFile[];
}

/** Files beyond this together are refused, so that one request's memory is bounded. */
export const MAX_UPLOAD_BYTES = 60_000_000;

/**
 * Reads a multipart body of one repeated file field and text fields.
 * @throws Problem naming the file at fault: `too-many-files`, `photo-too-large`, `unsupported-media-type`.
 */
export function readMultipart(request: Request, upload: Upload): Promise<Multipart> {
  return new Promise((resolve, reject) => {
    const fail = (problem: Problem) => {
      request.unpipe(parser);
      request.resume();
      reject(problem);
    };
    const parser = openParser(request, upload);
    const fields: Record<string, string> = {};
    const files: UploadedFile[] = [];
    let count = 0;
    let totalBytes = 0;

    parser.on('field', (name, value) => {
      fields[name] = value;
    });
    parser.on('file', (name, stream, info) => {
      const index = count++;
      if (name !== upload.field) {
        stream.resume();
        return fail(new Problem('validation-failed', { fields: [{ path: name, type: 'unknown-value' }] }));
      }
      const chunks: Buffer[] = [];
      stream.on('limit', () =>
        fail(
          new Problem('photo-too-large', { fields: [{ path: `${name}.${index}`, type: 'photo-too-large' }] }),
        ),
      );
      stream.on('data', (chunk: Buffer) => {
        totalBytes += chunk.length;
        if (totalBytes > MAX_UPLOAD_BYTES) return fail(new Problem('body-too-large'));
        chunks.push(chunk);
      });
      stream.on('end', () => {
        files[index] = {
          originalName: info.filename ?? '',
          contentType: info.mimeType,
          bytes: Buffer.concat(chunks),
        };
      });
    });
    parser.on('filesLimit', () =>
      fail(new Problem('too-many-files', { fields: [{ path: upload.field, type: 'too-many-files' }] })),
    );
    parser.on('error', (cause) => fail(new Problem('malformed-request', { cause })));
    parser.on('close', () => resolve({ fields, files }));
    request.on('aborted', () => reject(new Problem('malformed-request')));
    request.pipe(parser);
  });
}

function openParser(request: Request, upload: Upload): busboy.Busboy {
  if (!request.is('multipart/form-data')) throw new Problem('unsupported-media-type');
  try {
    return busboy({
      headers: request.headers,
      defParamCharset: 'utf8',
      limits: {
        files: upload.maxCount,
        fileSize: upload.maxBytes,
        fields: 50,
        fieldSize: 10_000,
        parts: upload.maxCount + 50,
      },
    });
  } catch (cause) {
    throw new Problem('malformed-request', { cause });
  }
}
