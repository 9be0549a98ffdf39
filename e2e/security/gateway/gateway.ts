import type { Topic } from '../frame/topic.ts';
import { hostInjection, largeThings } from './bodies.ts';
import { claims, paths } from './claims.ts';
import { openEcho } from './echo.ts';
import { leaks } from './leaks.ts';
import { slowClients } from './slow.ts';
import { smuggling } from './smuggling.ts';

/** Attacks on the gateway. */
export const gateway: Topic = {
  name: 'gateway',
  async run(target, report) {
    const echo = await openEcho();
    try {
      await claims(echo, report);
      await paths(echo, report);
      await leaks(echo, report);
    } finally {
      await echo.close();
    }
    await smuggling(target, report);
    await hostInjection(target, report);
    await largeThings(target, report);
    await slowClients(target, report);
  },
};
