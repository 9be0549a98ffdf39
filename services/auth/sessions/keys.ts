import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import { createPrivateKey, generateKeyPairSync, type JsonWebKey, type KeyObject } from 'node:crypto';

/**
 * Parses an Ed25519 private key from PKCS8 PEM (line breaks may be written "\n") or JWK. @returns undefined
 * for anything else
 */
export function readSigningKey(text: string): KeyObject | undefined {
  try {
    const key = text.trim().startsWith('{')
      ? createPrivateKey({ key: JSON.parse(text) as JsonWebKey, format: 'jwk' })
      : createPrivateKey(text.replaceAll('\\n', '\n'));
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The key of this installation, generated once by the first replica and stored, so that sessions outlive
 * restarts.
 */
export async function keptSigningKey(sql: Sql): Promise<KeyObject> {
  const fresh = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  await sql.query('insert into signing_keys (private_jwk) values ($1) on conflict do nothing', [
    JSON.stringify(fresh),
  ]);
  const { rows } = await sql.query<{ private_jwk: JsonWebKey }>('select private_jwk from signing_keys');
  return createPrivateKey({ key: rows[0]!.private_jwk, format: 'jwk' });
}
