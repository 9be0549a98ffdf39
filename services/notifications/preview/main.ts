import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { previewPage } from './page.ts';

/**
 * `npm run mails -- 4025` serves previews of all emails. Not part of the service. Restart to reload the
 * texts.
 */
const port = Number(process.argv[2] ?? 4025);
const SITE_URL = 'https://arboleda.example';

const server = createServer((request, response) => {
  const page = previewPage(new URL(request.url ?? '/', SITE_URL).pathname, SITE_URL);
  response.writeHead(page ? 200 : 404, { 'Content-Type': page?.contentType ?? 'text/plain' });
  response.end(page?.body ?? 'There is nothing here.');
});
server.listen(port, '127.0.0.1', () => {
  process.stdout.write(`Mails: http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`);
});
