import { DEMO_ACCOUNTS, LOGIN_PAGES } from '../demo/accounts.ts';
import type { Local } from '../local.ts';
import { table } from './progress.ts';

type Shown = Pick<Local, 'url' | 'inboxUrl' | 'sandboxUrl' | 'dataDir' | 'demoPassword'>;

/** The one table that a start ends with: where everything is, and who can log in. */
export function overview(local: Shown, title: string): string {
  const people = DEMO_ACCOUNTS.map(({ title: label, email, role }): [string, string] => [
    label,
    `${email.padEnd(24)} ${local.url}${LOGIN_PAGES[role]}`,
  ]);
  return table(title, [
    ['Site', local.url],
    ['Inbox', local.inboxUrl ?? 'your mail server (SMTP_URL)'],
    ['API', `${local.url}/api/docs`],
    ['', ''],
    ...people,
    ['Password', `${local.demoPassword}   for all of them`],
    ['', ''],
    ...(local.sandboxUrl ? [TEST_CARD] : []),
    ['Data', `${local.dataDir}   npm run reset deletes it`],
    ['Stop', 'Ctrl-C'],
  ]);
}

const TEST_CARD: [string, string] = [
  'Card',
  '4242 4242 4242 4242   any later date, any code: no real money moves',
];
