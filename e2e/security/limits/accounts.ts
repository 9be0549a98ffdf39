import { openInbox } from '../../harness/inbox.ts';
import { putAccount } from '../../harness/accounts.ts';
import type { Target } from '../frame/target.ts';
import type { Report } from '../frame/topic.ts';

const PASSWORD = 'guadua-cedro-7310';
/** services/auth/sessions/attempts.ts */
const BY_ACCOUNT_AND_NETWORK = 10;
const BY_ACCOUNT = 100;
const MAILS_PER_HOUR = 5;

/** Guessing at one account is slowed down from wherever it comes, and by whatever spelling; its owner still gets in. */
export async function accounts(
  { filled: { product } }: Target,
  { check }: Report,
  gateways: readonly string[],
) {
  const post = async (path: string, body: object, address: string, at: number) => {
    const response = await fetch(gateways[at % gateways.length] + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const logIn = (email: string, password: string, address: string, at: number) =>
    post('/api/auth/customer/login', { email, password }, address, at);
  for (const name of ['guessed', 'spread', 'mailed', 'last']) {
    const email = `${name}@limits.test`;
    await putAccount(product, {
      role: 'customer',
      name: 'Lina',
      email,
      password: PASSWORD,
      emailVerified: true,
    });
  }

  const home = '198.51.100.200';
  check('the owner logs in from home', (await logIn('spread@limits.test', PASSWORD, home, 0)) === 200);
  const spellings = [
    'guessed@limits.test',
    'GUESSED@limits.test',
    'Guessed@Limits.Test',
    ' guessed@limits.test ',
  ];
  const fromOne: number[] = [];
  for (let at = 0; at < BY_ACCOUNT_AND_NETWORK + 5; at++) {
    fromOne.push(await logIn(spellings[at % spellings.length]!, `wrong-${at}-password`, '203.0.113.210', at));
  }
  const guesses = fromOne.filter((status) => status === 401).length;
  check(
    'one address has ten guesses at an account, however it is spelled',
    guesses < BY_ACCOUNT_AND_NETWORK + 1,
    fromOne,
  );
  check('then it is told to wait', fromOne.at(-1) === 429, fromOne);
  check(
    'also with the right password',
    (await logIn('guessed@limits.test', PASSWORD, '203.0.113.210', 1)) === 429,
  );
  check(
    'another address is not held off by that',
    (await logIn('guessed@limits.test', PASSWORD, home, 0)) === 200,
  );

  const fromMany: number[] = [];
  for (let at = 0; at < BY_ACCOUNT + 10; at++) {
    fromMany.push(await logIn('spread@limits.test', `wrong-${at}-password`, `10.9.${at}.1`, at));
  }
  const spread = fromMany.filter((status) => status === 401).length;
  check('many addresses have a hundred guesses at an account together', spread <= BY_ACCOUNT, spread);
  check('then a stranger is told to wait', fromMany.at(-1) === 429, fromMany.at(-1));
  check(
    'and the owner gets in from where they were before',
    (await logIn('spread@limits.test', PASSWORD, home, 0)) === 200,
  );

  for (let at = 0; at < 14; at++) {
    const email = at % 2 === 0 ? 'mailed@limits.test' : 'MAILED@limits.test';
    const status = await post('/api/auth/customer/forgot-password', { email }, `10.8.${at}.1`, at);
    check('asking for a reset is answered alike', status === 202, status);
  }
  // Mails go out in the order in which they were asked for.
  await post('/api/auth/customer/forgot-password', { email: 'last@limits.test' }, '10.7.1.1', 0);
  const inbox = openInbox(product.inboxUrl);
  await inbox.mail('last@limits.test', /reset-password/);
  const mails = await inbox.all('mailed@limits.test');
  check('nobody’s inbox is flooded', mails.length <= MAILS_PER_HOUR, mails.length);
}
