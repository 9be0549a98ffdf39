import { totp } from '../../driver/totp.ts';
import type { ReceivedMail } from '../../harness/inbox.ts';
import { PASSWORD } from '../../harness/accounts.ts';
import { inTurn, waitFor } from '../../harness/wait.ts';
import type { Started } from './paying.ts';
import { type Race, race, times, type Setup } from './race.ts';

const somebody = (what: string) => `${what}-${crypto.randomUUID()}@races.test`;

interface Newcomer {
  email: string;
}

export const sameEmail: Race = race<Newcomer>({
  name: 'account: one address registered by many',
  effect: 'one account, one link mailed',
  prepare: (_setup, rounds) => Promise.resolve(times(rounds, () => ({ email: somebody('new') }))),
  shots: (setup, { email }, clients) =>
    times(clients, (client) => () => {
      const typed = client % 2 === 0 ? email : email.toUpperCase();
      return setup.call('POST /api/auth/customer/register', {
        body: { name: 'Rosa Prueba', email: typed, password: PASSWORD },
      });
    }),
  async judge(setup, played) {
    await setup.settled();
    const found = await setup.rows<{ email: string; accounts: number; links: number }>(
      `select lower(a.email) as email, count(distinct a.id)::int as accounts, count(l.*)::int as links
       from auth.accounts a left join auth.verification_links l on l.account_id = a.id
       where lower(a.email) = any($1) group by 1`,
      [played.map(({ round }) => round.email)],
    );
    return played.flatMap(({ round, answers }) => {
      const one = found.find(({ email }) => email === round.email);
      const created = answers.filter(({ status }) => status === 201).length;
      return one?.accounts === 1 && one.links === 1 && created === 1
        ? []
        : [
            `${round.email}: ${one?.accounts ?? 0} accounts, ${one?.links ?? 0} links, ${created} times created`,
          ];
    });
  },
});

interface Mailed extends Newcomer {
  token: string;
  session: string;
}

/** People to whom a link was mailed, and its secret. */
async function mailedLinks(
  setup: Setup,
  people: readonly { email: string; session: string }[],
  path: string,
) {
  const pattern = new RegExp(`${path}[^\\s]*[#?&]token=([\\w-]+)`);
  return waitFor(
    'the mails with links',
    async () => {
      const mails = (await (await fetch(new URL('/email', setup.product.inboxUrl))).json()) as ReceivedMail[];
      const tokens = new Map(
        mails.map((mail) => [mail.to[0]!.address.toLowerCase(), pattern.exec(mail.text)?.[1]]),
      );
      const found = people.map((one) => ({ ...one, token: tokens.get(one.email) ?? '' }));
      return found.every(({ token }) => token !== '') && found;
    },
    120_000,
  );
}

export const resetTwice: Race = race<Mailed>({
  name: 'account: one reset link, many passwords',
  effect: 'one password is set, that of whoever was told so',
  async prepare(setup, rounds) {
    const people = await inTurn(rounds, async () => {
      const email = somebody('reset');
      const session = await setup.put('customer', email);
      await setup.call('POST /api/auth/{role}/forgot-password', {
        params: { role: 'customer' },
        body: { email },
      });
      return { email, session };
    });
    return mailedLinks(setup, people, 'reset-password');
  },
  shots: (setup, { token }, clients) =>
    times(
      clients,
      (client) => () =>
        setup.call('POST /api/auth/{role}/reset-password', {
          params: { role: 'customer' },
          body: { token, password: newPassword(client) },
        }),
    ),
  async judge(setup, played) {
    const faults = await inTurn(played.length, async (at) => {
      const { round, answers } = played[at]!;
      const winners = answers.flatMap(({ status }, client) => (status === 200 ? [client] : []));
      if (winners.length !== 1) return [`${round.email}: the link served ${winners.length} times`];
      const answer = await setup.call('POST /api/auth/customer/login', {
        body: { email: round.email, password: newPassword(winners[0]!) },
      });
      return answer.status === 200 ? [] : [`${round.email}: the password that was set does not log in`];
    });
    return faults.flat();
  },
});

const newPassword = (client: number) => `nuevo-laurel-${1000 + client}-rio`;

export const verifyTwice: Race = race<Mailed>({
  name: 'account: one verification link, many clicks',
  effect: 'verified once; every click is told so',
  async prepare(setup, rounds) {
    const people = await inTurn(rounds, async () => {
      const email = somebody('verify');
      const answer = await setup.call('POST /api/auth/customer/register', {
        body: { name: 'Rosa Prueba', email, password: PASSWORD },
      });
      if (answer.status !== 201) throw new Error(`register: ${answer.status}`);
      return { email, session: answer.body.token };
    });
    return mailedLinks(setup, people, 'verify-email');
  },
  shots: (setup, { token, session }, clients) =>
    times(
      clients,
      () => () => setup.call('POST /api/auth/customer/verify-email', { token: session, body: { token } }),
    ),
  async judge(setup, played) {
    const found = await setup.rows<{ email: string; verified: boolean; revision: number; used: number }>(
      `select a.email, a.email_verified as verified, a.revision, count(l.used_at)::int as used
       from auth.accounts a join auth.verification_links l on l.account_id = a.id
       where a.email = any($1) group by a.id`,
      [played.map(({ round }) => round.email)],
    );
    const revisions = new Set(found.map(({ revision }) => revision));
    const uneven = revisions.size > 1 ? [`accounts were changed ${[...revisions].join(' or ')} times`] : [];
    return [
      ...uneven,
      ...played.flatMap(({ round, answers }) => {
        const one = found.find(({ email }) => email === round.email);
        const told = answers.filter(({ status }) => status === 200).length;
        return one?.verified && one.used === 1 && told === answers.length
          ? []
          : [`${round.email}: verified ${one?.verified}, told ${told} times of ${answers.length}`];
      }),
    ];
  },
});

interface Guarded extends Newcomer {
  secret: string;
  recoveryCode: string;
}

const STEP_MS = 30_000;
const FACTOR = 'POST /api/auth/admin/second-factor';

/** An admin with two-factor login. */
async function guarded(setup: Setup): Promise<Guarded> {
  const email = somebody('admin');
  const token = await setup.put('admin', email);
  const begun = await setup.call(FACTOR, { token, body: { currentPassword: PASSWORD } });
  const { secret } = begun.body;
  const confirmed = await setup.call(`${FACTOR}/confirm`, {
    token,
    body: { code: totp(secret, Date.now()) },
  });
  if (confirmed.status !== 200) throw new Error(`second factor: ${confirmed.status}`);
  return { email, secret, recoveryCode: confirmed.body.recoveryCodes[0] };
}

const logInWith = (name: string, codeOf: (one: Guarded) => string): Race =>
  race<Guarded>({
    name,
    effect: 'lets in one',
    prepare: (setup, rounds) => inTurn(rounds, () => guarded(setup)),
    shots(setup, one, clients) {
      const body = { email: one.email, password: PASSWORD, code: codeOf(one) };
      return times(clients, () => () => setup.call('POST /api/auth/admin/login', { body }));
    },
    judge: async (_setup, played) =>
      played.flatMap(({ round, answers }) => {
        const passed = answers.filter(({ status }) => status === 200).length;
        return passed === 1 ? [] : [`${round.email}: ${passed} were let in by one code`];
      }),
  });

/** The next code of the app: the one that set it up is used. */
export const appCode = logInWith('login: one code of the app', ({ secret }) =>
  totp(secret, Date.now() + STEP_MS),
);
export const recoveryCode = logInWith('login: one recovery code', (one) => one.recoveryCode);

interface Leaver {
  email: string;
  token: string;
  /** Paid long before. */
  before: Started;
  /** Being paid now. */
  now: Started;
}

/** Somebody goes while an order of theirs is paid. */
export const eraseOrOrder: Race = race<Leaver>({
  name: 'account: erased while an order is paid',
  effect: 'the account goes once, no order is lost or doubled, the old one names nobody',
  prepare: (setup, rounds) =>
    inTurn(rounds, async () => {
      const email = `leaver-${crypto.randomUUID()}@races.test`;
      const token = await setup.put('customer', email);
      return { email, token, before: await setup.driver.buy(email), now: await setup.driver.start(email) };
    }),
  shots(setup, { token, now }, clients) {
    const pay = setup.driver.pay(now.client_secret);
    return times(clients, () => async () => {
      const answer = await setup.call('POST /api/auth/me/deletion', {
        token,
        body: { currentPassword: PASSWORD },
      });
      await pay;
      return answer;
    });
  },
  async judge(setup, played) {
    await setup.settled();
    const orderIds = played.flatMap(({ round }) => [round.before.orderId, round.now.orderId]);
    const orders = await ordersOf(setup, orderIds);
    const left = await setup.rows<{ email: string }>(
      'select email from auth.accounts where email = any($1)',
      [played.map(({ round }) => round.email)],
    );
    return played.flatMap(({ round, answers }) => {
      const [before, now] = [round.before, round.now].map((one) => orders.get(one.orderId));
      const erasures = answers.filter(({ status }) => status === 202).length;
      return [
        ...(erasures === 1 ? [] : [`${round.email}: erased ${erasures} times`]),
        ...(left.some(({ email }) => email === round.email)
          ? [`${round.email}: the account is still there`]
          : []),
        ...(before === undefined ? [`order ${round.before.orderId} is gone`] : []),
        ...(before === round.email ? [`order ${round.before.orderId} still names ${round.email}`] : []),
        ...(now === undefined ? [`order ${round.now.orderId} was paid and is not there`] : []),
      ];
    });
  },
});

/** The worker of each order. */
async function ordersOf(setup: Setup, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await setup.rows<{ id: string; email: string }>(
    `select id, customer ->> 'email' as email from orders.orders where id = any($1)`,
    [ids],
  );
  return new Map(rows.map(({ id, email }) => [id, email]));
}
