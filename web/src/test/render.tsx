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
  /** Open address, and the route pattern of the page. */
  at?: string;
  pattern?: string;
  /** A client with the product's retries; by default nothing is retried. */
  queryClient?: QueryClient;
}

/** Renders a screen with texts, queries and router. Other addresses render their path. */
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
