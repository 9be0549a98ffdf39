import { existsSync } from 'node:fs';
import { DEMO_ACCOUNTS, LOGIN_PAGES } from './demo/accounts.ts';
import { makeDemo } from './demo/demo.ts';
import { type Local, startLocal } from './local.ts';
import { live } from './terminal/life.ts';
import { table, terminalProgress } from './terminal/progress.ts';

if (existsSync('.env')) process.loadEnvFile('.env');

await live(async () => {
  const startedAt = performance.now() - process.uptime() * 1000;
  terminalProgress.say('\nArboleda starts …');
  const local = await startLocal(process.env, terminalProgress);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  terminalProgress.say(overview(local, seconds));
  const demo = makeDemo(local, terminalProgress);
  return {
    async close() {
      demo.cancel();
      await demo.done;
      await local.close();
    },
  };
});

function overview(local: Local, seconds: string): string {
  return table(`Arboleda is running, ready after ${seconds} s`, [
    ['Site', local.url],
    ['Inbox', local.inboxUrl ?? 'your mail server (SMTP_URL)'],
    ['API', `${local.url}/api/docs`],
    ['', ''],
    ...DEMO_ACCOUNTS.map(
      ({ title, email, role }) => [title, `${email.padEnd(24)} ${local.url}${LOGIN_PAGES[role]}`] as const,
    ),
    ['Password', `${local.demoPassword}   for all of them`],
    ...(local.sandboxUrl
      ? ([
          ['', ''],
          ['Card', '4242 4242 4242 4242   any later date, any code: no real money moves'],
        ] as const)
      : []),
    ['', ''],
    ['Data', `${local.dataDir}   npm run reset deletes it`],
    ['Stop', 'Ctrl-C'],
  ]);
}
