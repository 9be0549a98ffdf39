import { DEMO_ACCOUNTS, LOGIN_PAGES } from '../demo/accounts.ts';
import type { Local } from '../local.ts';
import { table } from './progress.ts';

type Shown = Pick<Local, 'url' | 'inboxUrl' | 'sandboxUrl' | 'dataDir' | 'isDemo' | 'demoPassword'>;

/** The table printed at the end of a start: addresses and log-ins. */
export function overview(local: Shown, title: string): string {
  return table(title, [
    ['Site', local.url],
    ['Inbox', local.inboxUrl ?? 'your mail server (SMTP_URL)'],
    ['API', `${local.url}/api/docs`],
    ['', ''],
    ...(local.isDemo ? demoPeople(local) : []),
    ...(local.sandboxUrl ? [TEST_CARD] : []),
    ['Data', `${local.dataDir}   npm run reset deletes it`],
    ['Stop', 'Ctrl-C'],
  ]);
}

export const TEST_CARD: [string, string] = [
  'Card',
  '4242 4242 4242 4242   any later date, any code: no real money moves',
];

/** The demo's log-in pages and password. */
export const demoPeople = ({
  url,
  demoPassword,
}: Pick<Shown, 'url' | 'demoPassword'>): [string, string][] => [
  ...DEMO_ACCOUNTS.map(({ title, email, role }): [string, string] => [
    title,
    `${email.padEnd(24)} ${url}${LOGIN_PAGES[role]}`,
  ]),
  ['Password', `${demoPassword}   for all of them`],
  ['', ''],
];
