import { createServer, request as ask } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Stands before a running product and passes everything on; a test may let files say more than they do. */
export async function openFront(behind: string) {
  const { hostname, port } = new URL(behind);
  const added = new Map<string, string>();
  const server = createServer((request, response) => {
    const { method, url = '/', headers } = request;
    const more = added.get(url);
    const plain =
      more === undefined ? headers : { ...headers, 'accept-encoding': 'identity', 'if-none-match': '' };
    const onward = ask({ hostname, port, method, path: url, headers: plain }, async (answer) => {
      const { 'content-length': _length, ...rest } = answer.headers;
      if (more === undefined) {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      } else {
        response.writeHead(answer.statusCode!, rest);
        response.end(Buffer.concat([await buffer(answer), Buffer.from(more)]));
      }
    });
    onward.on('error', () => response.destroy());
    response.on('close', () => onward.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    /** From now on the file at this path ends with the text. */
    add: (path: string, text: string) => void added.set(path, text),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
