import { waitFor } from '../../harness/wait.ts';
import type { ReceivedMail } from '../../harness/inbox.ts';
import { inTurn, type Race, race, times } from './race.ts';
import { totp } from './totp.ts';
import { PASSWORD, type World } from './world.ts';

const somebody = (what: string) => `${what}-${crypto.randomUUID()}@races.test`;

interface Newcomer {
  email: string;
}

export const sameEmail: Race = race<Newcomer>({
  name: 'account: one address registered by many',
  effect: 'one account, one link mailed',
  prepare: (_world, rounds) => Promise.resolve(times(rounds, () => ({ email: somebody('new') }))),
  shots: (world, { email }, clients) =>
    times(clients, (client) => () => {
      const typed = client % 2 === 0 ? email : email.toUpperCase();
      return world.call('POST /api/auth/customer/register', {
        body: { name: 'Rosa Prueba', email: typed, password: PASSWORD },
      });
    }),
  async judge(world, played) {
    await world.settled();
    const found = await world.rows<{ email: string; accounts: number; links: number }>(
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
  world: World,
  people: readonly { email: string; session: string }[],
  path: string,
) {
  const pattern = new RegExp(`${path}[^\\s]*[#?&]token=([\\w-]+)`);
  return waitFor(
    'the mails with links',
    async () => {
      const mails = (await (await fetch(new URL('/email', world.product.inboxUrl))).json()) as ReceivedMail[];
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
  async prepare(world, rounds) {
    const people = await inTurn(rounds, async () => {
      const email = somebody('reset');
      const session = await world.put('customer', email);
      await world.call('POST /api/auth/{role}/forgot-password', {
        params: { role: 'customer' },
        body: { email },
      });
      return { email, session };
    });
    return mailedLinks(world, people, 'reset-password');
  },
  shots: (world, { token }, clients) =>
    times(
      clients,
      (client) => () =>
        world.call('POST /api/auth/{role}/reset-password', {
          params: { role: 'customer' },
          body: { token, password: newPassword(client) },
        }),
    ),
  async judge(world, played) {
    const faults = await inTurn(played.length, async (at) => {
      const { round, answers } = played[at]!;
      const winners = answers.flatMap(({ status }, client) => (status === 200 ? [client] : []));
      if (winners.length !== 1) return [`${round.email}: the link served ${winners.length} times`];
      const answer = await world.call('POST /api/auth/customer/login', {
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
  async prepare(world, rounds) {
    const people = await inTurn(rounds, async () => {
      const email = somebody('verify');
      const answer = await world.call('POST /api/auth/customer/register', {
        body: { name: 'Rosa Prueba', email, password: PASSWORD },
      });
      if (answer.status !== 201) throw new Error(`register: ${answer.status}`);
      return { email, session: answer.body.token };
    });
    return mailedLinks(world, people, 'verify-email');
  },
  shots: (world, { token, session }, clients) =>
    times(
      clients,
      () => () => world.call('POST /api/auth/customer/verify-email', { token: session, body: { token } }),
    ),
  async judge(world, played) {
    const found = await world.rows<{ email: string; verified: boolean; revision: number; used: number }>(
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

/** An admin with two-factor log-in. */
async function guarded(world: World): Promise<Guarded> {
  const email = somebody('admin');
  const token = await world.put('admin', email);
  const begun = await world.call(FACTOR, { token, body: { currentPassword: PASSWORD } });
  const { secret } = begun.body;
  const confirmed = await world.call(`${FACTOR}/confirm`, {
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
    prepare: (world, rounds) => inTurn(rounds, () => guarded(world)),
    shots(world, one, clients) {
      const body = { email: one.email, password: PASSWORD, code: codeOf(one) };
      return times(clients, () => () => world.call('POST /api/auth/admin/login', { body }));
    },
    judge: async (_world, played) =>
      played.flatMap(({ round, answers }) => {
        const passed = answers.filter(({ status }) => status === 200).length;
        return passed === 1 ? [] : [`${round.email}: ${passed} were let in by one code`];
      }),
  });

/** The next code of the app: the one that set it up is used. */
export const appCode = logInWith('log-in: one code of the app', ({ secret }) =>
  totp(secret, Date.now() + STEP_MS),
);
export const recoveryCode = logInWith('log-in: one recovery code', (one) => one.recoveryCode);
