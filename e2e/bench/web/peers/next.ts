import { freePorts } from '@arboleda/cli/embedded/ports.ts';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../../../harness/wait.ts';
import { installPeers } from '../../peers/peers.ts';
import { end, outputOf, start } from '../../peers/processes.ts';
import { buildApp, type Peer } from './app.ts';
import type { LandingSource } from './landing-source.ts';

const PACKAGES = { next: '^16.0.0', react: '^19.0.0', 'react-dom': '^19.0.0' };
const ENVIRONMENT = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };

/** Without the root it would look for one above, and find ours. */
const CONFIG = `export default { turbopack: { root: import.meta.dirname } };\n`;

const PAGE = `import Landing from './Landing.jsx';

export default function Page() {
  return <Landing />;
}
`;

const layoutOf = ({ title, description }: LandingSource): string => `import './style.css';

export const metadata = ${JSON.stringify({ title, description, icons: '/favicon.svg' })};

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <div id="root">{children}</div>
      </body>
    </html>
  );
}
`;

/** The page as Next.js's app router prerenders it, served by its own server. It is installed when asked for. */
export async function startNext(landing: LandingSource): Promise<Peer> {
  const folder = await installPeers('next', PACKAGES);
  const program = join(folder, 'node_modules/next/dist/bin/next');
  const manifest = await readFile(join(folder, 'node_modules/next/package.json'), 'utf8');
  const { version } = JSON.parse(manifest) as { version: string };
  const files = {
    'next.config.mjs': CONFIG,
    'app/layout.jsx': layoutOf(landing),
    'app/page.jsx': PAGE,
    'app/Landing.jsx': landing.component,
    'app/style.css': landing.css,
  };
  await buildApp(folder, landing, files, {
    builtBy: `next ${version}`,
    output: '.next',
    build: () => outputOf(start({ args: [program, 'build'], cwd: folder, env: ENVIRONMENT }, 'pipe')),
  });
  const [port] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  const args = [program, 'start', '--port', String(port), '--hostname', '127.0.0.1'];
  const child = start({ args, cwd: folder, env: ENVIRONMENT });
  await waitFor('Next.js', async () => {
    if (child.exitCode !== null) throw new Error(`Next.js ended with ${child.exitCode}`);
    return (await fetch(url).catch(() => undefined))?.ok;
  });
  return { name: `Next.js ${version.split('.')[0]}`, url, stop: () => end(child) };
}
