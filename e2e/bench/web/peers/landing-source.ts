import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from '../../../harness/browser.ts';

/** The build that the gateway serves. */
export const CLIENT = fileURLToPath(new URL('../../../../web/dist/client', import.meta.url));

/** Our prerendered landing page as others would write it. */
export interface LandingSource {
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
