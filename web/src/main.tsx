import './styles.ts';
import { createRoot, hydrateRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router-dom';
import { App } from './app/App.tsx';
import { isChunkLoss, reloadOnce } from './design/load-chunk.ts';
import { createQueryClient } from './api/query-client.ts';
import { routeOf } from './app/routes.ts';
import { showStartFailure } from './app/start-failure.ts';
import { visitorsLanguage } from './i18n/languages.ts';
import { hasTexts, startI18n } from './i18n/setup.ts';

const root = document.getElementById('root')!;
const page = document.documentElement;
const language = visitorsLanguage();
const i18n = await startI18n(language);

// The app retries a page that failed to load and shows the error.
const arrived = await routeOf(location.pathname)
  .page.preload(i18n)
  .then(
    () => true,
    (error: unknown) => !(isChunkLoss(error) && reloadOnce()),
  );

if (!hasTexts(i18n)) showStartFailure(root);
else if (arrived) start();

function start(): void {
  const app = (
    <BrowserRouter>
      <App i18n={i18n} queryClient={createQueryClient()} />
    </BrowserRouter>
  );
  // Hydrates a prerendered page, unless it was made for another address or language.
  const prerenderedFor = root.dataset.path;
  if (prerenderedFor === location.pathname && page.lang === language) hydrateRoot(root, app);
  else createRoot(root).render(app);

  page.lang = language;
  i18n.on('languageChanged', (next) => (page.lang = next));
}
