import { Agent, request } from 'node:http';

/** One request as it is sent. */
export interface Ask {
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  token?: string | undefined;
  body?: { type: string; bytes: string | Uint8Array } | undefined;
  accept?: string;
}

export interface Reply {
  /** 0: the connection broke, or nothing came in time. */
  status: number;
  hasRetryAfter: boolean;
  bytes: Buffer;
  failure?: string;
}

/** Longer than any deadline of the product. */
const PATIENCE_MS = 30_000;

export const json = (value: unknown): NonNullable<Ask['body']> => ({
  type: 'application/json',
  bytes: JSON.stringify(value),
});

/** A multipart body of one file and one field. */
export function photoForm(jpeg: Uint8Array, details: string): NonNullable<Ask['body']> {
  const boundary = 'one-part-behind-the-other';
  const part = (headers: string) => `--${boundary}\r\nContent-Disposition: form-data; ${headers}\r\n\r\n`;
  const file = 'name="photos"; filename="siembra.jpg"\r\nContent-Type: image/jpeg';
  const bytes = Buffer.concat([
    Buffer.from(`${part('name="details"')}${details}\r\n${part(file)}`),
    jpeg,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, bytes };
}

/** Sends over kept-alive connections, as many as it takes; never throws. */
export function openSender(url: string) {
  const agent = new Agent({ keepAlive: true });
  return (ask: Ask, address: string): Promise<Reply> => {
    const { promise, resolve } = Promise.withResolvers<Reply>();
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({
        status: 0,
        hasRetryAfter: false,
        bytes: Buffer.alloc(0),
        failure: error.code ?? error.message,
      });
    const call = request(
      new URL(ask.path, url),
      {
        method: ask.method,
        agent,
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          'x-forwarded-for': address,
          ...(ask.token && { authorization: `Bearer ${ask.token}` }),
          ...(ask.accept && { accept: ask.accept }),
          ...(ask.body && {
            'content-type': ask.body.type,
            'content-length': Buffer.byteLength(ask.body.bytes),
          }),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', fail);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            hasRetryAfter: response.headers['retry-after'] !== undefined,
            bytes: Buffer.concat(chunks),
          }),
        );
      },
    );
    call.on('error', fail);
    call.end(ask.body?.bytes);
    return promise;
  };
}
export type Send = ReturnType<typeof openSender>;
