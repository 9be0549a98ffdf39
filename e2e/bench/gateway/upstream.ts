/** The upstream of all gateways: cheap answers of known sizes on PORT. It also takes traces, and forgets them. */
import { createServer } from 'node:http';

/** A JSON answer of so many bytes. */
const ofSize = (bytes: number) =>
  JSON.stringify({ text: 'x'.repeat(bytes - JSON.stringify({ text: '' }).length) });

const SMALL = ofSize(85);
const LARGE = ofSize(10_000);

createServer((request, response) => {
  request.resume().once('end', () => {
    if (request.url === '/v1/traces')
      return void response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    const body = request.url === '/api/pricing/dynamic' ? LARGE : SMALL;
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
      .end(body);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
