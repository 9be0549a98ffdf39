import { newKey, privateKeyOf } from '@arboleda/chassis/keys.ts';
import { seeded } from '@arboleda/chassis/testing/seeded.ts';
import { certificateCode, CODE_BYTES } from '@arboleda/contracts/certificate-code.ts';
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { createVerifyCryptosuite } from '@digitalbazaar/eddsa-jcs-2022-cryptosuite';
import { defaultDocumentLoader, verifyCredential } from '@digitalbazaar/vc';
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list';
import { describe, expect, test } from '@jest/globals';
import { createPublicKey, randomBytes } from 'node:crypto';
import { decidePayment } from '../order/creation.ts';
import { decideStatus } from '../order/status.ts';
import type { Order } from '../order/order.ts';
import { ANA, minute, payment } from '../test/builders.ts';
import { decideCertificate, versionOf } from './certificate.ts';
import { newestOf } from './versions.ts';
import { contextDocument, contextUrl, credentialOf, statusCredentialOf } from './credential.ts';
import { certificateKeys } from './keys.ts';
import { encodedList, statusEntryOf, statusListUrl } from './status-list.ts';

const SITE = 'https://trees.example';
const readKey = (text: string) => privateKeyOf('ed25519').parse(text);
const KEY = readKey(newKey('ed25519'));
const issuerWith = (key = KEY, formerKeys: Parameters<typeof certificateKeys>[0]['formerKeys'] = []) => ({
  keys: certificateKeys({ siteUrl: SITE, key, formerKeys }),
  siteUrl: SITE,
  name: 'Arboleda S.A.S. BIC',
});
const ISSUER = issuerWith();
const newCode = () => certificateCode(randomBytes(CODE_BYTES));

/** An order with a certificate, different for each number. */
function certified(n: number): Order {
  const chance = seeded(n);
  const { pick } = chance;
  const paid = decidePayment(undefined, payment({ trees: 1 + chance.below(5000) }).data)!.record;
  const status = pick(['planted', 'completed'] as const);
  const planted = decideStatus(paid, { status }, { role: 'admin' }, minute(chance.below(1000)))!.record;
  const order: Order = {
    ...planted,
    progress: { ...planted.progress, ...(chance.below(2) === 0 && { worker: ANA }) } as Order['progress'],
    ...(chance.below(2) === 0 && {
      location: pick(['Salento', 'Resguardo de «Guambía»', 'Vereda "El Roble"\n2']),
    }),
  };
  const name = pick([null, 'Alba Díaz', '张伟林', 'محمد علي', 'O’Neil & Söhne', '🌳', 'x'.repeat(120)]);
  const wanted = { name, language: pick(['en', 'es'] as const) };
  return decideCertificate(order, wanted, { at: minute(1000), newCode })!.record;
}

const credentialNumber = (n: number, issuer = ISSUER) => {
  const order = certified(n);
  return credentialOf(versionOf(order, newestOf(order.certificate!).code), statusEntryOf(n), issuer);
};

const suite = new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() });

/** Loads what a verifier finds at our site. @param ended numbers of versions that are no longer valid */
const loader = (ended: readonly number[] = [], issuer = ISSUER) => {
  const did = issuer.keys.document() as { id: string; verificationMethod: { id: string }[] };
  const ofSite = new Map<string, unknown>([
    [contextUrl(SITE), contextDocument(SITE)],
    [did.id, did],
    ...did.verificationMethod.map(
      (method) => [method.id, { '@context': 'https://w3id.org/security/multikey/v1', ...method }] as const,
    ),
    [statusListUrl(SITE, 0), statusCredentialOf(0, encodedList(ended), issuer, minute(2000))],
  ]);
  return async (url: string) =>
    ofSite.has(url) ? { document: ofSite.get(url) } : defaultDocumentLoader(url);
};

async function isAccepted(credential: unknown, documentLoader = loader()): Promise<boolean> {
  const { verified, statusResult } = await verifyCredential({
    credential,
    suite,
    documentLoader,
    checkStatus,
  });
  return verified && statusResult!.results.every(({ status }) => !status);
}

const signatureHolds = async (credential: unknown, documentLoader = loader()): Promise<boolean> => {
  const noStatus = async () => ({ verified: true });
  const { verified } = await verifyCredential({ credential, suite, documentLoader, checkStatus: noStatus });
  return verified;
};

describe('a credential', () => {
  test('is accepted by another’s package, whatever its certificate says', async () => {
    const documentLoader = loader();
    for (let n = 0; n < 1_000; n++)
      expect([n, await isAccepted(credentialNumber(n), documentLoader)]).toEqual([n, true]);
  }, 120_000);

  /** The credentials that one changed bit makes; most changes are no JSON any more. */
  function* changed(credential: object, isTried: (bit: number) => boolean) {
    const bytes = Buffer.from(JSON.stringify(credential));
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      if (!isTried(bit)) continue;
      const other = Buffer.from(bytes);
      other[bit >> 3]! ^= 1 << (bit & 7);
      try {
        yield {
          bit,
          credential: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(other)) as unknown,
        };
      } catch {
        continue;
      }
    }
  }

  test('is refused after any change of a single bit', async () => {
    const documentLoader = loader();
    const accepted: number[] = [];
    let tried = 0;
    for (const { bit, credential } of changed(credentialNumber(1), () => true)) {
      tried += 1;
      if (await signatureHolds(credential, documentLoader)) accepted.push(bit);
    }
    expect(accepted).toEqual([]);
    expect(tried).toBeGreaterThan(3_000);
    for (let n = 2; n < 40; n++)
      for (const { credential } of changed(credentialNumber(n), (bit) => bit % 331 === n))
        expect(await signatureHolds(credential, documentLoader)).toBe(false);
  }, 120_000);

  test('is refused as soon as its bit is set, and others are not', async () => {
    const [one, other] = [credentialNumber(8), credentialNumber(9)];
    expect([await isAccepted(one, loader([8])), await isAccepted(other, loader([8]))]).toEqual([false, true]);
  });

  test('holds after a change of the key while the earlier public key is published', async () => {
    const before = credentialNumber(3);
    const next = readKey(newKey('ed25519'));
    const kept = issuerWith(next, [createPublicKey(KEY)]);
    expect(await isAccepted(before, loader([], kept))).toBe(true);
    expect(await isAccepted(credentialNumber(3, kept), loader([], kept))).toBe(true);
    expect(await isAccepted(before, loader([], issuerWith(next)))).toBe(false);
  });

  test('of another site’s key is refused', async () => {
    expect(await isAccepted(credentialNumber(3, issuerWith(readKey(newKey('ed25519')))))).toBe(false);
  });

  test('says nothing of CO₂ and nothing of the buyer but the chosen name', () => {
    for (let n = 0; n < 50; n++)
      expect(JSON.stringify(credentialNumber(n))).not.toMatch(
        /CO[₂2]|carbon|María|Pérez|mail\.test|300 1234567|Ruiz/,
      );
  });
});

test('a port is a part of the issuer’s name', () => {
  const keys = certificateKeys({ siteUrl: 'http://localhost:8080', key: KEY, formerKeys: [] });
  expect(keys.did).toBe('did:web:localhost%3A8080');
});
