import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { adminLists } from './build/admin-lists.ts';
import { serviceWorker } from './build/service-worker.ts';

/** In development the gateway answers everything outside the app. */
const GATEWAY = process.env.GATEWAY_URL ?? 'http://localhost:8080';

/**
 * Node requires `with { type: 'json' }`; Vite's development server returns JavaScript for it, which browsers refuse
 * under that attribute.
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
  plugins: [jsonAsModules, adminLists, react(), serviceWorker()],
  build: {
    manifest: true,
    // The content security policy forbids data: addresses and inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { proxy: { '/api': GATEWAY } },
});
