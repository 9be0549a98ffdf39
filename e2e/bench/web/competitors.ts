import { createHash } from 'node:crypto';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../../harness/browser.ts';
import { installCompetitor, COMPETITORS } from '../competitors/install.ts';
import { outputOf, ROOT, start, startServer } from '../processes.ts';
import { serveCompressed } from './serve-compressed.ts';

/** The build that the gateway serves. */
const CLIENT = fileURLToPath(new URL('../../../web/dist/client', import.meta.url));

/** Our prerendered landing page as others would write it. */
interface LandingSource {
  title: string;
  description: string;
  css: string;
  /** A module whose default export is a component with all of the page's markup. */
  component: string;
  /** Pictures and typefaces that markup or style name, below `CLIENT`. */
  assets: string[];
}

/** An element as [name, attributes, children], or a text. */
type Markup = string | [string, [string, string][], Markup[]];

/** React's names of attributes, where they are not HTML's. */
const REACT_NAMES: Record<string, string> = {
  class: 'className',
  fetchpriority: 'fetchPriority',
  srcset: 'srcSet',
  tabindex: 'tabIndex',
};

/** Takes the English landing page apart as it was built. */
export async function readLanding(): Promise<LandingSource> {
  const html = await readFile(join(CLIENT, 'index.en.html'), 'utf8');
  const { title, description, css, markup } = await takeApart(html);
  const component = `export default function Landing() {\n  return <>${markup.map(jsx).join('')}</>;\n}\n`;
  const named = `${component}${css}`.matchAll(/\/(assets\/[\w.-]+\.(?:svg|webp|avif|jpg|png|woff2))\b/g);
  return { title, description, css, component, assets: [...new Set([...named].map(([, file]) => file!))] };
}

/** A browser knows what HTML means. */
async function takeApart(
  html: string,
): Promise<Pick<LandingSource, 'title' | 'description' | 'css'> & { markup: Markup[] }> {
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    return await page.evaluate((text) => {
      const parsed = new DOMParser().parseFromString(text, 'text/html');
      const read = (parent: Element): Markup[] =>
        [...parent.childNodes].flatMap((node): Markup[] => {
          if (node instanceof Text) return [node.data];
          if (!(node instanceof Element)) return [];
          const attributes = [...node.attributes].map(({ name, value }): [string, string] => [name, value]);
          return [[node.localName, attributes, read(node)]];
        });
      return {
        title: parsed.title,
        description: parsed.querySelector<HTMLMetaElement>('meta[name="description"]')!.content,
        css: parsed.querySelector('style')!.textContent,
        markup: read(parsed.querySelector('#root')!),
      };
    }, html);
  } finally {
    await browser.close();
  }
}

function jsx(markup: Markup): string {
  if (typeof markup === 'string') return `{${JSON.stringify(markup)}}`;
  const [name, attributes, children] = markup;
  const given = attributes.map(([at, value]) => ` ${REACT_NAMES[at] ?? at}={${JSON.stringify(value)}}`);
  const opened = `<${name}${given.join('')}`;
  return children.length === 0 ? `${opened} />` : `${opened}>${children.map(jsx).join('')}</${name}>`;
}

/** A running copy of the landing page that others made. */
interface Competitor {
  name: string;
  url: string;
}

/**
 * Writes the sources of an app beside the pictures that they name, and builds it; nothing when just that was built before.
 * @param folder that nobody commits
 * @param files contents by path
 * @param builtBy what builds it, with its version
 * @param output where in the folder the result lies
 */
async function buildApp(
  folder: string,
  { assets }: Pick<LandingSource, 'assets'>,
  files: Readonly<Record<string, string>>,
  { builtBy, output, build }: { builtBy: string; output: string; build: () => Promise<unknown> },
): Promise<void> {
  const marker = join(folder, 'built-of');
  const wanted = createHash('sha256').update(JSON.stringify({ files, assets, builtBy })).digest('hex');
  if ((await readFile(marker, 'utf8').catch(() => '')) === wanted) return;
  for (const old of [marker, join(folder, 'public'), join(folder, output)]) {
    await rm(old, { recursive: true, force: true });
  }
  await mkdir(join(folder, 'public/assets'), { recursive: true });
  for (const name of [...assets, 'favicon.svg'])
    await copyFile(join(CLIENT, name), join(folder, 'public', name));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  await build();
  await writeFile(marker, wanted);
}

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
export async function startNext(landing: LandingSource, closing: AsyncDisposableStack): Promise<Competitor> {
  const folder = await installCompetitor('next');
  const program = join(folder, 'node_modules/next/dist/bin/next');
  const version = await versionOf(join(folder, 'node_modules'), 'next');
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
  const { url } = closing.use(
    await startServer('Next.js', '/', (port) => ({
      args: [program, 'start', '--port', String(port), '--hostname', '127.0.0.1'],
      cwd: folder,
      env: ENVIRONMENT,
    })),
  );
  return { name: `Next.js ${version.split('.')[0]}`, url };
}

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

/** @param modules a folder of packages */
const versionOf = async (modules: string, name: string): Promise<string> =>
  (JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8')) as { version: string }).version;

/** The page as Vite's and React's own templates would have it: drawn by the browser. Both are those of the product. */
export async function startVite(landing: LandingSource, closing: AsyncDisposableStack): Promise<Competitor> {
  const folder = join(COMPETITORS, 'vite');
  const modules = join(ROOT, 'node_modules');
  const files = {
    'index.html': documentOf(landing),
    'src/main.jsx': MAIN,
    'src/Landing.jsx': landing.component,
    'src/style.css': landing.css,
  };
  await buildApp(folder, landing, files, {
    builtBy: `vite ${await versionOf(modules, 'vite')}, react-dom ${await versionOf(modules, 'react-dom')}`,
    output: 'dist',
    build: () => {
      const args = [join(modules, 'vite/bin/vite.js'), 'build', '--logLevel', 'warn'];
      return outputOf(start({ args, cwd: folder, env: { NODE_ENV: 'production' } }, 'pipe'));
    },
  });
  const server = await serveCompressed(join(folder, 'dist'));
  closing.defer(() => server.close());
  return { name: 'Vite and React', url: server.url };
}
