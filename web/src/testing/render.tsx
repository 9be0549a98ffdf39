import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { render, type RenderResult } from '@testing-library/react';
import type { ReactElement } from 'react';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import type { Language } from '../i18n/languages.ts';
import { startI18n } from '../i18n/setup.ts';
import type { TextNamespace } from '../i18n/texts.ts';

interface Options {
  texts: readonly TextNamespace[];
  language?: Language;
  /** The address that is open, and the pattern that the page is mounted at. */
  at?: string;
  pattern?: string;
  /** Asks again as the product does; by default nothing is asked twice. */
  queryClient?: QueryClient;
}

/** A screen as people get it: texts, queries and a router around it. Other addresses render their own path. */
export async function renderScreen(screen: ReactElement, options: Options): Promise<RenderResult> {
  const { texts, language = 'en', at = '/', pattern = '*' } = options;
  const i18n = await startI18n(language);
  await i18n.loadNamespaces(texts);
  const queryClient =
    options.queryClient ??
    new QueryClient({ defaultOptions: { queries: { retry: false, gcTime: Infinity } } });
  return render(
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <MemoryRouter initialEntries={[at]}>
          <Routes>
            <Route path={pattern} element={screen} />
            {pattern !== '*' && <Route path="*" element={<p>elsewhere</p>} />}
          </Routes>
        </MemoryRouter>
      </QueryClientProvider>
    </I18nextProvider>,
  );
}
