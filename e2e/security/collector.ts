import { type Field, fieldsOf } from '@arboleda/chassis/testing/protobuf.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';

/** Takes traces by OTLP over HTTP and answers a GET with every text in them. */
export async function openCollector() {
  const texts: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') return void response.end(texts.join('\n'));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    texts.push(...textsIn(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

/** Every text of a protobuf message and of the messages in it: random ids between them are none. */
export function textsIn(message: Uint8Array): string[] {
  const values = read(message).flatMap(({ value }) => (typeof value === 'number' ? [] : [value]));
  return values.flatMap((value) => {
    const text = textOf(value);
    return text === undefined ? textsIn(value) : [text];
  });
}

/** No fields where the bytes are no message. */
function read(bytes: Uint8Array): Field[] {
  try {
    return fieldsOf(bytes);
  } catch {
    return [];
  }
}

/** Undefined when bytes are no UTF-8, or hold what nobody writes. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /^[\P{Cc}\n\r\t]*$/u.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
