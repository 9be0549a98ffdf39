import { makeDemo } from './demo/demo.ts';
import { startEmbedded } from './embedded/embedded.ts';
import { live, loadSettings } from './terminal/command.ts';
import { overview, terminalProgress } from './terminal/progress.ts';

loadSettings();

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
