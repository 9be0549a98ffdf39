import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PEERS } from '../../peers/peers.ts';
import { outputOf, start } from '../../peers/processes.ts';
import { buildApp, type Peer } from './app.ts';
import type { LandingSource } from './landing-source.ts';
import { serveCompressed } from './serve-compressed.ts';

const MODULES = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

const MAIN = `import { createRoot } from 'react-dom/client';
import Landing from './Landing.jsx';
import './style.css';

createRoot(document.getElementById('root')).render(<Landing />);
`;

const documentOf = ({ title, description }: LandingSource): string => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
    <meta name="description" content="${description.replaceAll('"', '&quot;')}" />
    <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/src/main.jsx"></script>
  </body>
</html>
`;

const versionOf = async (name: string): Promise<string> =>
  (JSON.parse(await readFile(join(MODULES, name, 'package.json'), 'utf8')) as { version: string }).version;

/** The page as Vite's and React's own templates would have it: drawn by the browser. Both are those of the product. */
export async function startVite(landing: LandingSource): Promise<Peer> {
  const folder = join(PEERS, 'vite');
  const files = {
    'index.html': documentOf(landing),
    'src/main.jsx': MAIN,
    'src/Landing.jsx': landing.component,
    'src/style.css': landing.css,
  };
  await buildApp(folder, landing, files, {
    builtBy: `vite ${await versionOf('vite')}, react-dom ${await versionOf('react-dom')}`,
    output: 'dist',
    build: () => {
      const args = [join(MODULES, 'vite/bin/vite.js'), 'build', '--logLevel', 'warn'];
      return outputOf(start({ args, cwd: folder, env: { NODE_ENV: 'production' } }, 'pipe'));
    },
  });
  const server = await serveCompressed(join(folder, 'dist'));
  return { name: 'Vite and React', url: server.url, stop: () => server.close() };
}
