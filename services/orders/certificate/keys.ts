import { base58 } from '@scure/base';
import { createPublicKey, type KeyObject, sign } from 'node:crypto';

/** Keys that sign nothing but certificates. */
export interface CertificateKeys {
  /** did:web of the site: https://w3c-ccg.github.io/did-method-web/ */
  did: string;
  /** DID URL of the key that signs. */
  verificationMethod: string;
  sign(bytes: Uint8Array): Uint8Array;
  /** The DID document. Earlier keys stay, so that their signatures can still be verified. */
  document(): Record<string, unknown>;
}

/** Multicodec prefix of Ed25519 public keys: https://www.w3.org/TR/cid-1.0/#Multikey */
const ED25519 = Uint8Array.of(0xed, 0x01);

export const multibase = (bytes: Uint8Array): string => `z${base58.encode(bytes)}`;

function multikeyOf(key: KeyObject): string {
  const { x } = key.export({ format: 'jwk' });
  return multibase(Buffer.concat([ED25519, Buffer.from(x!, 'base64url')]));
}

/** @param formerKeys public halves of keys that signed before */
export function certificateKeys(parts: {
  siteUrl: string;
  key: KeyObject;
  formerKeys: readonly KeyObject[];
}): CertificateKeys {
  const did = `did:web:${encodeURIComponent(new URL(parts.siteUrl).host)}`;
  const multikeys = [createPublicKey(parts.key), ...parts.formerKeys].map(multikeyOf);
  const methods = [...new Set(multikeys)].map((publicKeyMultibase) => ({
    id: `${did}#${publicKeyMultibase}`,
    type: 'Multikey',
    controller: did,
    publicKeyMultibase,
  }));
  const [own] = methods as [(typeof methods)[number]];
  return {
    did,
    verificationMethod: own.id,
    sign: (bytes) => sign(null, bytes, parts.key),
    document: () => ({
      '@context': ['https://www.w3.org/ns/did/v1', 'https://w3id.org/security/multikey/v1'],
      id: did,
      verificationMethod: methods,
      assertionMethod: methods.map(({ id }) => id),
    }),
  };
}
