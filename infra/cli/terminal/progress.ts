import { DEMO_ACCOUNTS, LOGIN_PAGES } from '../demo/accounts.ts';

/** Output while things start. */
export interface Progress {
  /** Runs a step and prints its duration. */
  step<T>(name: string, run: () => Promise<T>): Promise<T>;
  say(line: string): void;
}

export const terminalProgress: Progress = {
  async step(name, run) {
    const startedAt = performance.now();
    const result = await run();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    process.stdout.write(`  ${name.padEnd(44)} ${seconds.padStart(5)} s\n`);
    return result;
  },
  say: (line) => void process.stdout.write(`${line}\n`),
};

/** For tests and other programs. */
export const silentProgress: Progress = { step: (_name, run) => run(), say: () => undefined };

/** Two columns with a line above and below. */
export function table(title: string, rows: readonly (readonly [string, string])[]): string {
  const left = Math.max(...rows.map(([label]) => label.length));
  const lines = rows.map(([label, value]) => (label || value ? `  ${label.padEnd(left)}   ${value}` : ''));
  const rule = '─'.repeat(Math.min(78, Math.max(title.length + 2, ...lines.map((line) => line.length + 2))));
  return ['', rule, `  ${title}`, rule, ...lines, rule, ''].join('\n');
}

/** All that a person needs to use a running installation. */
export interface Overview {
  /** Public URL. */
  url: string;
  inboxUrl: string | undefined;
  sandboxUrl: string | undefined;
  dataDir: string;
  /** Whether demo accounts and orders are created: not in production. */
  isDemo: boolean;
  demoPassword: string;
}

/** The table printed at the end of a start: addresses and log-ins. */
export function overview(local: Overview, title: string): string {
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

const LONGEST_EMAIL = Math.max(...DEMO_ACCOUNTS.map(({ email }) => email.length));

/** The demo's login pages and password. */
export const demoPeople = ({
  url,
  demoPassword,
}: Pick<Overview, 'url' | 'demoPassword'>): [string, string][] => [
  ...DEMO_ACCOUNTS.map(({ title, email, role }): [string, string] => [
    title,
    `${email.padEnd(LONGEST_EMAIL)}   ${url}${LOGIN_PAGES[role]}`,
  ]),
  ['Password', `${demoPassword}   for all of them`],
  ['', ''],
];
