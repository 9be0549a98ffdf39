/** "npm run dev": like "npm start", with hot reloading of the web app and restarting services. */
import { existsSync } from 'node:fs';
import { makeDemo } from './demo/demo.ts';
import { startVite } from './embedded/vite.ts';
import { chooseAddress, prepareEmbedded } from './embedded/embedded.ts';
import { watchProduct } from './embedded/watch.ts';
import { live } from './terminal/life.ts';
import { overview, terminalProgress } from './terminal/progress.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

await live(async (fail) => {
  terminalProgress.say('\nArboleda starts for development …');
  const address = await chooseAddress(process.env);
  const vite = await terminalProgress.step('Web app (Vite)', () => startVite(fail));
  const prepared = await prepareEmbedded(process.env, address, terminalProgress, {
    devUrl: vite.url,
    fail,
  }).catch(async (error: unknown) => {
    await vite.close();
    throw error;
  });
  prepared.onClose(() => vite.close());
  const product = watchProduct(prepared.env, fail);
  prepared.onClose(() => product.close());
  await terminalProgress.step('Services and gateway', () => product.ready(prepared.gatewayUrl));
  terminalProgress.say(overview(prepared, 'Arboleda is running for development: changes show at once'));
  const demo = makeDemo(prepared, terminalProgress);
  return {
    async close() {
      demo.cancel();
      await demo.done;
      await prepared.close();
    },
  };
});
