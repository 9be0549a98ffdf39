/** What the build wrote for the app that this page came without. */
const page = (): DOMStringMap => document.querySelector<HTMLScriptElement>('script[data-app]')?.dataset ?? {};

const files = (list = ''): string[] => list.split(' ').filter(Boolean);

function addLink(rel: string, href: string): void {
  const link = document.createElement('link');
  link.rel = rel;
  link.crossOrigin = '';
  // The page brought this style along: the app's loader is to see that it is there, and nobody to fetch it.
  if (rel === 'stylesheet') link.setAttribute('disabled', '');
  link.setAttribute('href', href);
  document.head.append(link);
}

let isOnItsWay = false;

/** Has every script of the app fetched side by side, so that none waits for another to name it. */
export function preloadApp(): void {
  if (isOnItsWay) return;
  isOnItsWay = true;
  const { app, styles } = page();
  for (const file of files(styles)) addLink('stylesheet', file);
  for (const file of files(app)) addLink('modulepreload', file);
}

/** Fetches and starts the app in a page that came without it. */
export async function fetchApp(): Promise<void> {
  preloadApp();
  await import(/* @vite-ignore */ files(page().app)[0]!);
}
