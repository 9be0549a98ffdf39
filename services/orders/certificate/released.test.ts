import { newKey, privateKeyOf } from '@arboleda/chassis/keys.ts';
import { DataIntegrityProof } from '@digitalbazaar/data-integrity';
import { createVerifyCryptosuite } from '@digitalbazaar/eddsa-jcs-2022-cryptosuite';
import { defaultDocumentLoader, verifyCredential } from '@digitalbazaar/vc';
import { checkStatus } from '@digitalbazaar/vc-bitstring-status-list';
import { expect, test } from '@jest/globals';
import { base58 } from '@scure/base';
import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { contextDocument, contextUrl, statusCredentialOf } from './credential.ts';
import { certificateKeys } from './keys.ts';
import { encodedList, statusListUrl } from './status-list.ts';

interface Credential {
  credentialSubject: { donorName: string };
  proof: { verificationMethod: string };
}

const SITE = 'https://arboleda.example';
const FILE = new URL('../../../contracts/released/credentials.json', import.meta.url);
const RELEASED = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, Credential>;
const suite = new DataIntegrityProof({ cryptosuite: createVerifyCryptosuite() });

/** The public key in "did:web:arboleda.example#z6Mk…", after two bytes that name its type. */
const publicKeyOf = ({ proof }: Credential) => {
  const bytes = base58.decode(proof.verificationMethod.split('#z')[1]!).subarray(2);
  const x = Buffer.from(bytes).toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
};

/** @param ended numbers of the versions that are no longer valid */
async function isAccepted(credential: Credential, ended: number[] = []): Promise<boolean> {
  const key = privateKeyOf('ed25519').parse(newKey('ed25519'));
  const keys = certificateKeys({ siteUrl: SITE, key, formerKeys: [publicKeyOf(credential)] });
  const issuer = { keys, siteUrl: SITE, name: 'Arboleda S.A.S. BIC' };
  const did = keys.document() as { id: string; verificationMethod: { id: string }[] };
  const list = statusCredentialOf(0, encodedList(ended), issuer, '2026-11-29T21:00:00.000Z');
  const ofSite = new Map<string, unknown>([
    [contextUrl(SITE), contextDocument(SITE)],
    [did.id, did],
    ...did.verificationMethod.map(
      (method) => [method.id, { '@context': 'https://w3id.org/security/multikey/v1', ...method }] as const,
    ),
    [statusListUrl(SITE, 0), list],
  ]);
  const documentLoader = async (url: string) =>
    ofSite.has(url) ? { document: ofSite.get(url) } : defaultDocumentLoader(url);
  const { verified, statusResult } = await verifyCredential({
    credential,
    suite,
    documentLoader,
    checkStatus,
  });
  return verified && statusResult!.results.every(({ status }) => !status);
}

test.each(Object.entries(RELEASED))(
  'a certificate of %s is accepted after a change of the key, until it is revoked',
  async (_version, credential) => {
    expect(await isAccepted(credential)).toBe(true);
    expect(await isAccepted(credential, [0])).toBe(false);
  },
);

test('a certificate of a release is refused once a letter differs', async () => {
  const [credential] = Object.values(RELEASED);
  const forged = structuredClone(credential!);
  forged.credentialSubject.donorName = 'Alba Diaz';
  expect(await isAccepted(forged)).toBe(false);
});
