import type { JsonWebKey, KeyObject } from 'node:crypto';

export const exportPublic = (key: KeyObject): JsonWebKey => key.export({ format: 'jwk' });

/** Public texts that a verifier might mistake for a shared secret. */
export function macSecrets(publicKey: KeyObject): [name: string, secret: string | Buffer][] {
  const jwk = exportPublic(publicKey);
  return [
    ['the public key as PEM', publicKey.export({ type: 'spki', format: 'pem' })],
    ['the public key as DER', publicKey.export({ type: 'spki', format: 'der' })],
    ['the public key as JWK', JSON.stringify(jwk)],
    ['the public key’s bytes', Buffer.from(jwk.x!, 'base64url')],
    ['nothing', ''],
  ];
}
