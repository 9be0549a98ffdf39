import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { i18n as I18n } from 'i18next';
import { Suspense } from 'react';
import { I18nextProvider } from 'react-i18next';
import { Route, Routes } from 'react-router-dom';
import { Toasts } from '../design/components/Toasts.tsx';
import { CrashBoundary } from '../design/components/CrashBoundary.tsx';
import { OfflineNotice } from './OfflineNotice.tsx';
import { PageLoading } from './PageLoading.tsx';
import { PreloadPages } from './preload-pages.ts';
import { ROUTES } from './routes.ts';

/** The app without its router, for the browser and the prerenderer. */
export function App({ i18n, queryClient }: { i18n: I18n; queryClient: QueryClient }) {
  return (
    <I18nextProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <Toasts>
          <CrashBoundary>
            <Suspense fallback={<PageLoading />}>
              <Routes>
                {ROUTES.map(({ path, page }) => (
                  <Route key={path} path={path} element={page.render()} />
                ))}
              </Routes>
            </Suspense>
          </CrashBoundary>
          <OfflineNotice />
          <PreloadPages />
        </Toasts>
      </QueryClientProvider>
    </I18nextProvider>
  );
}
