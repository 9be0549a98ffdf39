/** Build metadata of the app's files, embedded in the page. */
const page = (): DOMStringMap => document.querySelector<HTMLScriptElement>('script[data-app]')?.dataset ?? {};

const files = (list = ''): string[] => list.split(' ').filter(Boolean);

function addLink(rel: string, href: string): void {
  const link = document.createElement('link');
  link.rel = rel;
  link.crossOrigin = '';
  // The page already contains this style: the module loader must see a link, but nothing may fetch it.
  if (rel === 'stylesheet') link.setAttribute('disabled', '');
  link.setAttribute('href', href);
  document.head.append(link);
}

let isOnItsWay = false;

/** Requests all scripts of the app in parallel, instead of following imports. */
export function preloadApp(): void {
  if (isOnItsWay) return;
  isOnItsWay = true;
  const { app, styles } = page();
  for (const file of files(styles)) addLink('stylesheet', file);
  for (const file of files(app)) addLink('modulepreload', file);
}

export async function fetchApp(): Promise<void> {
  preloadApp();
  await import(/* @vite-ignore */ files(page().app)[0]!);
}
