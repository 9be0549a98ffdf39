import { hashToken } from '@arboleda/auth/accounts/links.ts';
import { openPasswords } from '@arboleda/auth/passwords/passwords.ts';
import { openVault } from '@arboleda/auth/second-factor/vault.ts';
import { keyedDigest } from '@arboleda/chassis/keyed-digest.ts';
import { giftTokens, orderTokens } from '@arboleda/chassis/order-token.ts';
import { seal, unseal } from '@arboleda/chassis/sealed.ts';
import {
  certificateCode,
  CODE_BYTES,
  parseCertificateCode,
  PDF_KEYWORD,
} from '@arboleda/contracts/certificate-code.ts';
import { receiptNumber } from '@arboleda/orders/documents/numbers.ts';
import { referencesIn } from '@arboleda/payments/statements/match.ts';
import { makeReference } from '@arboleda/payments/transfers/transfer.ts';
import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { linesOf, type Promised } from './promised.ts';

/** Something that people or databases keep, and that today's code must still read. */
interface Kept<Sample> {
  madeIn: string;
  make(): Sample | Promise<Sample>;
  holds(sample: Sample): boolean | Promise<boolean>;
}
// A table of kinds whose samples have different shapes.
const kept = <Sample>(kind: Kept<Sample>): Kept<never> => kind as Kept<never>;

/** Samples need no real secrets, only the same ones in ten years. */
const SECRET = 'of the samples of a release, and of no installation';
const ORDER_ID = '65f0c0ffee65f0c0ff9f3c1a';
const ACCOUNT_ID = 'account-1';
const ADDRESS = 'ana@example.org';
const MAIL_KEY = createPrivateKey({
  // PKCS8 of an X25519 key: RFC 8410, section 7.
  key: Buffer.concat([
    Buffer.from('302e020100300506032b656e04220420', 'hex'),
    createHash('sha256').update(SECRET).digest(),
  ]),
  format: 'der',
  type: 'pkcs8',
});
const vault = openVault(SECRET);
const orderToken = orderTokens(SECRET);
const giftToken = giftTokens(SECRET);
const digest = keyedDigest(SECRET, 'addresses of gifts');
const passwords = () => openPasswords({ memoryKib: 64, passes: 1 });

const KINDS = {
  'link of an order': kept({
    madeIn: 'infra/chassis/order-token.ts',
    make: () => orderToken(ORDER_ID),
    holds: (token) => token === orderToken(ORDER_ID),
  }),
  'link of a gift': kept({
    madeIn: 'infra/chassis/order-token.ts',
    make: () => giftToken(ORDER_ID, 2),
    holds: (token) => token === giftToken(ORDER_ID, 2),
  }),
  'address that declined gifts': kept({
    madeIn: 'infra/chassis/keyed-digest.ts',
    make: () => digest(ADDRESS),
    holds: (text) => text === digest(ADDRESS),
  }),
  'emailed token in an event': kept({
    madeIn: 'infra/chassis/sealed.ts',
    make: () => seal('token', ADDRESS, createPublicKey(MAIL_KEY)),
    holds: async (sealed) => (await unseal(sealed, ADDRESS, MAIL_KEY)) === 'token',
  }),
  'emailed token in the database': kept({
    madeIn: 'services/auth/accounts/links.ts',
    make: () => hashToken('token').toString('hex'),
    holds: (hash) => hash === hashToken('token').toString('hex'),
  }),
  password: kept({
    madeIn: 'services/auth/passwords/passwords.ts',
    make: async () => (await passwords()).hash('guadua y cedro 73'),
    holds: async (hash) => (await passwords()).matches(hash, 'guadua y cedro 73'),
  }),
  'second factor': kept({
    madeIn: 'services/auth/second-factor/vault.ts',
    make: () => vault.seal(ACCOUNT_ID, 'JBSWY3DPEHPK3PXP').toString('hex'),
    holds: (sealed) => vault.open(ACCOUNT_ID, Buffer.from(sealed, 'hex')) === 'JBSWY3DPEHPK3PXP',
  }),
  'recovery code': kept({
    madeIn: 'services/auth/second-factor/vault.ts',
    make: () => vault.fingerprint(ACCOUNT_ID, 'abcd-efgh').toString('hex'),
    holds: (hash) => hash === vault.fingerprint(ACCOUNT_ID, 'abcd-efgh').toString('hex'),
  }),
  'code of a certificate': kept({
    madeIn: 'contracts/certificate-code.ts',
    make: () => certificateCode(createHash('sha256').update(SECRET).digest().subarray(0, CODE_BYTES)),
    holds: (code) => parseCertificateCode(code) === code && parseCertificateCode(code.toLowerCase()) === code,
  }),
  'keyword in the PDF of a certificate': kept({
    madeIn: 'contracts/certificate-code.ts',
    make: () => PDF_KEYWORD,
    holds: (keyword) => keyword === PDF_KEYWORD,
  }),
  'number of a receipt': kept({
    madeIn: 'services/orders/documents/numbers.ts',
    make: () => receiptNumber({ year: 2026, number: 123 }),
    holds: (number) => number === receiptNumber({ year: 2026, number: 123 }),
  }),
  'reference of a transfer': kept({
    madeIn: 'services/payments/transfers/transfer.ts',
    make: () => makeReference(() => 7),
    holds: (reference) => referencesIn(`TRANSF ${reference} ANA`).includes(reference.replace('-', '')),
  }),
};

/** "1.0.0 link of an order" → what release 1.0.0 made. */
type Samples = Record<string, never>;

/** Values that are derived from secrets, encrypted, hashed or numbered, and that somebody keeps for years. */
export const signed: Promised = {
  file: 'signed.json',
  async freeze(_root, version, before = '{}') {
    const samples = JSON.parse(before) as Samples;
    const added: Record<string, unknown> = {};
    for (const [name, kind] of Object.entries(KINDS)) {
      const former = samples[`${version} ${name}`];
      added[`${version} ${name}`] =
        former !== undefined && (await doesHold(kind, former)) ? former : await kind.make();
    }
    return linesOf({ ...samples, ...added });
  },
  async broken(released) {
    const sentences: string[] = [];
    for (const [name, sample] of Object.entries(JSON.parse(released) as Samples)) {
      const [version, ...words] = name.split(' ');
      const kind = (KINDS as Record<string, Kept<never>>)[words.join(' ')];
      if (!kind)
        sentences.push(`infra/cli/release/signed.ts no longer checks the ${words.join(' ')} of ${version}.`);
      else if (!(await doesHold(kind, sample)))
        sentences.push(
          `${kind.madeIn} no longer accepts the ${words.join(' ')} of ${version}: accept both forms, and make only the new one.`,
        );
    }
    return sentences;
  },
};

/** A sample that cannot be opened throws. */
const doesHold = async (kind: Kept<never>, sample: never): Promise<boolean> => {
  try {
    return await kind.holds(sample);
  } catch {
    return false;
  }
};
