import { Problem } from '@arboleda/contracts/problems.ts';
import { type Caller, CALLERS, type ServiceName } from '@arboleda/contracts/services.ts';
import { decodeJwt, jwtVerify, SignJWT } from 'jose';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { newKey, privateKeyOf, publicHalfOf, readPublicKey } from '../keys.ts';

/*
 * Services authenticate to each other with tokens that live one minute. The caller signs with its Ed25519 key
 * (SERVICE_KEY), and the callee verifies with the public keys of all (SERVICE_PUBLIC_KEYS). No service can
 * impersonate another.
 */

const TOKEN_SECONDS = 60;
const ALGORITHM = 'EdDSA';

export interface ServiceKeys {
  own: KeyObject;
  /** By caller; several keys of one caller during a key rotation. */
  known: ReadonlyMap<string, readonly KeyObject[]>;
}

export const signServiceToken = (key: KeyObject, from: Caller, to: ServiceName): Promise<string> =>
  new SignJWT({})
    .setProtectedHeader({ alg: ALGORITHM })
    .setIssuer(from)
    .setAudience(audienceOf(to))
    .setIssuedAt()
    .setExpirationTime(`${TOKEN_SECONDS}s`)
    .sign(key);

/** For commands and the demo. @param key OPERATOR_SERVICE_KEY */
export const signAsOperator = (key: string, to: ServiceName): Promise<string> =>
  signServiceToken(servicePrivateKey.parse(key), 'operator', to);

/** @returns the caller. @throws Problem `unauthenticated` without a valid token of a known caller for this service */
export async function verifyServiceToken(token: string, to: ServiceName, keys: ServiceKeys): Promise<Caller> {
  let cause: unknown;
  try {
    // Unverified: only selects the keys to try.
    const { iss: issuer = '' } = decodeJwt(token);
    for (const key of keys.known.get(issuer) ?? []) {
      const rules = { issuer, audience: audienceOf(to), algorithms: [ALGORITHM], requiredClaims: ['exp'] };
      const isValid = await jwtVerify(token, key, rules).then(
        () => true,
        (fault: unknown) => ((cause = fault), false),
      );
      if (isValid) return issuer as Caller;
    }
  } catch (fault) {
    cause = fault;
  }
  throw new Problem('unauthenticated', { cause });
}

const audienceOf = (service: ServiceName): string => `service:${service}`;

/** A new private key for each caller. */
export const newServiceKeys = (): Record<Caller, string> =>
  Object.fromEntries(CALLERS.map((name) => [name, newKey('ed25519')])) as Record<Caller, string>;

/** The value of SERVICE_PUBLIC_KEYS. */
export const publicKeysOf = (privateKeys: Partial<Record<Caller, string>>): string =>
  Object.entries(privateKeys)
    .map(([name, key]) => `${name}=${publicHalfOf(key)}`)
    .join(',');

export const servicePrivateKey = privateKeyOf('ed25519');

/** Parses SERVICE_PUBLIC_KEYS. */
export const servicePublicKeys = z.string().transform((text, context) => {
  const entries = text.split(',').map(readEntry);
  const keys = entries.map((entry) => entry?.key.export({ type: 'spki', format: 'der' }).toString('base64'));
  if (entries.includes(undefined)) {
    const message = 'must be names and Ed25519 public keys (base64 of SPKI DER), such as auth=…,orders=…';
    context.addIssue({ code: 'custom', message });
  } else if (new Set(keys).size < keys.length) {
    context.addIssue({ code: 'custom', message: 'must not have the same key twice' });
  }
  const known = entries.filter((entry) => entry !== undefined);
  return new Map(
    [...Map.groupBy(known, ({ name }) => name)].map(([name, all]) => [name, all.map(({ key }) => key)]),
  );
});

function readEntry(entry: string): { name: string; key: KeyObject } | undefined {
  const [, name = '', text = ''] = /^\s*([a-z]+)=(\S+)\s*$/.exec(entry) ?? [];
  const key = readPublicKey(text, 'ed25519');
  return key && (CALLERS as readonly string[]).includes(name) ? { name, key } : undefined;
}

/** Whether other services would accept this service's key. */
export const isOwnKeyKnown = ({ own, known }: ServiceKeys, service: ServiceName): boolean =>
  known.get(service)?.some((key) => key.equals(createPublicKey(own))) === true;
