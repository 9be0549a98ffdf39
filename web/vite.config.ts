import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** During development the gateway answers everything that is not the app's own. */
const GATEWAY = process.env.GATEWAY_URL ?? 'http://localhost:8080';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: {
    manifest: true,
    // The content security policy allows no data: addresses and no scripts in the page.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // The second one is the landing page's own first script; build.ts puts it in the place of the app's.
    rolldownOptions: { input: ['index.html', 'src/first.ts'] },
  },
  server: { proxy: { '/api': GATEWAY } },
});
