import { type HttpServer, listen } from '@arboleda/chassis/http/server.ts';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.avif': 'image/avif',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
const TEXTS = new Set(['.html', '.js', '.css', '.svg']);

/** Serves a folder as a good host of static files does: from memory, texts compressed by Brotli ahead of time. */
export async function serveCompressed(folder: string): Promise<HttpServer> {
  const answers = new Map<string, { headers: Record<string, string>; body: Buffer }>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const content = await readFile(file);
    const extension = extname(file);
    const isText = TEXTS.has(extension);
    const path = `/${relative(folder, file)}`;
    answers.set(path === '/index.html' ? '/' : path, {
      headers: {
        'Content-Type': TYPES[extension] ?? 'application/octet-stream',
        'Cache-Control': path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        ...(isText && { 'Content-Encoding': 'br' }),
      },
      body: isText ? brotliCompressSync(content) : content,
    });
  }
  return listen(
    (request, response) => {
      const answer = answers.get(request.url ?? '');
      if (answer) response.writeHead(200, answer.headers).end(answer.body);
      else response.writeHead(404).end();
    },
    { host: '127.0.0.1', port: 0 },
  );
}
