import './styles.ts';
import { renderToString } from 'react-dom/server';
import { StaticRouter } from 'react-router-dom';
import { App } from './app/App.tsx';
import { createQueryClient } from './api/query-client.ts';
import { routeOf } from './app/routes.ts';
import type { Language } from './i18n/languages.ts';
import { startI18n } from './i18n/setup.ts';

/** Text namespace with a prerendered page's title and description. */
const TEXTS_OF: Record<string, 'landing' | 'checkout'> = { '/': 'landing', '/plant-trees': 'checkout' };

export interface Prerendered {
  html: string;
  title: string;
  description: string;
}

/** Renders a public page without data. */
export async function prerender(path: string, language: Language): Promise<Prerendered> {
  const i18n = await startI18n(language);
  await routeOf(path).page.preload(i18n);
  const t = i18n.getFixedT(language, TEXTS_OF[path]!);
  const html = renderToString(
    <StaticRouter location={path}>
      <App i18n={i18n} queryClient={createQueryClient()} />
    </StaticRouter>,
  );
  return { html, title: t('title'), description: t('description') };
}
