import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { serviceWorker } from './build/service-worker.ts';

/** During development the gateway answers everything that is not the app's own. */
const GATEWAY = process.env.GATEWAY_URL ?? 'http://localhost:8080';

/**
 * Node needs `with { type: 'json' }` to import a text file; Vite's development server hands out JavaScript in its
 * place, which browsers refuse under that attribute.
 */
const jsonAsModules: Plugin = {
  name: 'json-as-modules',
  apply: 'serve',
  enforce: 'pre',
  transform: (code, id) =>
    id.endsWith('/i18n/texts.ts') ? code.replaceAll(", { with: { type: 'json' } }", '') : undefined,
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [jsonAsModules, react(), serviceWorker()],
  build: {
    manifest: true,
    // The content security policy allows no data: addresses and no scripts in the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': GATEWAY } },
});
