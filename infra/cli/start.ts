import { existsSync } from 'node:fs';
import { makeDemo } from './demo/demo.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { live } from './terminal/command.ts';
import { overview, terminalProgress } from './terminal/progress.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

await live(async (fail) => {
  terminalProgress.say('\nArboleda starts …');
  const local = await startEmbedded(process.env, terminalProgress, fail);
  terminalProgress.say(overview(local, `Arboleda is running, ready after ${process.uptime().toFixed(1)} s`));
  const demo = makeDemo(local, terminalProgress);
  return {
    async close() {
      demo.cancel();
      await demo.done;
      await local.close();
    },
  };
});
