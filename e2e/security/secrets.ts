/** A secret by its shape. */
const SHAPES: readonly (readonly [name: string, shape: RegExp])[] = [
  ['a private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----\s*\S/],
  ['a key of Stripe', /\b[sr]k_(?:live|test)_\w{16,}|\bwhsec_\w{24,}/],
  ['a key of AWS', /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/],
  ['a key of Google', /\bAIza[\w-]{35}\b/],
  ['a token of GitHub', /\bgh[pousr]_\w{36,}|\bgithub_pat_\w{22,}/],
  ['a token of npm', /\bnpm_\w{36}\b|_authToken\s*=\s*\S+/],
  ['a token of Slack', /\bxox[abpr]-[\w-]{10,}/],
  ['a key of a mail provider', /\bSG\.[\w-]{22}\.[\w-]{43}\b|\bkey-[0-9a-f]{32}\b/],
  ['a signed token', /\beyJ[\w-]{16,}\.eyJ[\w-]{16,}\.[\w-]{20,}/],
  [
    'an address with a password',
    /\b(?:postgres(?:ql)?|mongodb(?:\+srv)?|amqps?|rediss?|smtps?|https?):\/\/[^\s/:@'"`${}<>…]+:([^\s/@'"`${}<>…]{6,})@/,
  ],
];

/** A variable named like a secret with a random-looking value. Without what may stand before, which would cost most of the time. */
const ASSIGNED =
  /(?:secret|password|passwd|token|api_?key|private_?key|credential)[\w-]*["']?\s*[:=]\s*["'`]?([\w+/=.-]{20,})/i;
const RANDOM_BITS_A_CHARACTER = 3.6;
/** Sixteen digits carry four bits at most; 48 random ones measure less than 3.6 in six of a hundred cases. */
const HEX = /^[0-9a-f]{32,}$/i;
const RANDOM_BITS_A_HEX_DIGIT = 2.8;

/** False alarms with their reasons. Lines that match are skipped. */
const NONE_OF_THEM: readonly (readonly [text: RegExp, why: string])[] = [
  [
    /STRIPE_(?:SECRET|WEBHOOK)|whsec_(?:test|demo|somebody|new|old)/,
    'names of settings, and values that tests make up',
  ],
  [/\b[sr]k_(?:test|live)_(?:[a-z]+_?)+\b|sk_test_(?:x|0|1)+/, 'words after the prefix: made up by tests'],
  [/_(?:0123456789abcdef){2}\b/, 'digits in their order: made up by tests'],
  [/expectedHash|integrity|sha512-|sha256/i, 'sums of files, not secrets'],
  [
    /:(?:CHANGE|change|password|secret|hunter2|arboleda|geheim|a-password|w?rong\w*)@/,
    'placeholders of examples; production refuses them',
  ],
  [
    /@(?:db|host|localhost|127\.0\.0\.1|mongo|smtp|postgres|mongodb)\b.*(?:test|expect|example|toBe)/,
    'addresses that tests make up',
  ],
  [
    /Zk3vX1qTz8mYw2LpQe7R9a|pi_3QK7e2LkdIwHu7ix0hYt4K2s|eyJzdWIiOiIzZjBjOWE1MiJ9\.a1b2c3/,
    'the made-up order, payment and session of the API’s examples',
  ],
  [
    /q2bq0wTj1m6V3r5Zt8Yw0xCkPnLh4sGfDaEuIoRvBzM|aB3dE5fG7hJ9kL1mN3pQ5r|hY7kPq2WvN5sXc8bTz3LmA/,
    'the made-up links of the mails’ preview',
  ],
  [/q7VdExampleTokenT2mXyz/, 'the made-up order of a page’s test'],
  [/ceiba-roble-1234-hoja/, 'a made-up password of a demonstration, in the test of its file'],
  [
    /uV9-kq2LmZt7_RwXc4yBh8NdPf3GsJ6a|Vq7-kT2mZ9|Qp4_vN8sXz1-LbT6yGc9RmJ2wKd7HfE3/,
    'made up by tests of what production takes',
  ],
  [/:\/\/orders:orders@/, 'a password that a test says is none'],
];

export interface Found {
  what: string;
  line: string;
}

/** Tests make up passwords, which are looked at by their shape alone. */
export const isOfTests = (file: string): boolean => /\.test\.tsx?$|(?:^|\/)(?:test|testing|e2e)\//.test(file);

/** Secrets in a text, by line. @param guess also what only looks like one */
export function secretsIn(text: string, guess = true): Found[] {
  const found: Found[] = [];
  for (const line of text.split('\n')) {
    if (line.length > 20_000) continue;
    const what = SHAPES.find(([, shape]) => shape.test(line))?.[0] ?? (guess ? assigned(line) : undefined);
    if (!what) continue;
    if (NONE_OF_THEM.some(([none]) => none.test(line))) continue;
    found.push({ what, line: line.trim().slice(0, 160) });
  }
  return found;
}

function assigned(line: string): string | undefined {
  const value = ASSIGNED.exec(line)?.[1];
  if (value === undefined) return;
  const enough = HEX.test(value) ? RANDOM_BITS_A_HEX_DIGIT : RANDOM_BITS_A_CHARACTER;
  const isRandom = /\d/.test(value) && /[a-z]/i.test(value) && bitsOf(value) > enough;
  return isRandom && !/[.]\w+\(|^[a-z]+(?:[A-Z-][a-z]+)+\d*$/.test(value)
    ? 'something random that is called a secret'
    : undefined;
}

/** Shannon's measure, bits a character. */
function bitsOf(text: string): number {
  const counts = Map.groupBy(text, (character) => character).values();
  return [...counts].reduce((bits, { length }) => {
    const share = length / text.length;
    return bits - share * Math.log2(share);
  }, 0);
}
