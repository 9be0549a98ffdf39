import type { Caller, ServiceName } from '@arboleda/contracts/services.ts';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { listen } from '../http/server.ts';
import { type Person, TOKEN_ISSUER } from '../http/identity.ts';
import { signServiceToken } from '../http/service-token.ts';
import { TEST_SERVICE_KEYS } from './config.ts';

export type TestPerson = Pick<Person, 'role'> & Partial<Person>;

/** A fake auth service with its own key, which serves the public key. */
export interface TestIdentity {
  jwksUrl: string;
  /** A valid token of a person; absent fields get defaults. */
  token(person: TestPerson): Promise<string>;
  /** A valid token for a call between services. */
  serviceToken(from: Caller, to: ServiceName): Promise<string>;
  /** Signs any token, for tests of invalid ones. */
  sign(token: SignJWT): Promise<string>;
  publicKey: CryptoKey;
  /** Ends a person's sessions below a version. Services learn of it within 5 s, and at once for admins. */
  endSessions(accountId: string, tokenVersion: number): void;
  /** Whether ended sessions can be polled; the public keys stay available. */
  setEndedSessions(state: 'available' | 'unavailable'): void;
  close(): Promise<void>;
}

export async function startTestIdentity(): Promise<TestIdentity> {
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test', alg: 'EdDSA', use: 'sig' };
  const ended = new Map<string, number>();
  let canBeAsked = true;
  const answers: Record<string, () => unknown> = {
    '/internal/jwks': () => ({ keys: [jwk] }),
    '/internal/ended-sessions': () => ({
      accounts: [...ended].map(([id, tokenVersion]) => ({ id, tokenVersion })),
      nextCursor: '',
      more: false,
    }),
  };
  const server = await listen(
    (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://auth');
      const answer = answers[pathname];
      if (!answer) return void response.writeHead(404).end();
      if (!canBeAsked && pathname === '/internal/ended-sessions') return void response.writeHead(503).end();
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify(answer()));
    },
    { host: '127.0.0.1', port: 0 },
  );
  const sign = (token: SignJWT) => token.setProtectedHeader({ alg: 'EdDSA', kid: 'test' }).sign(privateKey);
  return {
    jwksUrl: `${server.url}/internal/jwks`,
    token: (person) => sign(personToken(person)),
    serviceToken: (from, to) => signServiceToken(TEST_SERVICE_KEYS.own, from, to),
    sign,
    publicKey,
    endSessions: (accountId, tokenVersion) => void ended.set(accountId, tokenVersion),
    setEndedSessions: (state) => void (canBeAsked = state === 'available'),
    close: () => server.close(),
  };
}

/** The claims that auth would sign for a person. */
export const personToken = ({ role, ...person }: TestPerson): SignJWT =>
  new SignJWT({
    name: person.name ?? `Test ${role}`,
    email: person.email ?? `${role}@arboleda.test`,
    email_verified: person.emailVerified ?? true,
    tv: person.tokenVersion ?? 0,
    ...(role === 'admin' && { admin_role: person.adminRole ?? 'owner' }),
    ...(person.secondFactorAt !== undefined && { otp_at: person.secondFactorAt }),
  })
    .setIssuer(TOKEN_ISSUER)
    .setAudience(role)
    .setSubject(person.id ?? `${role}-1`)
    .setIssuedAt()
    .setExpirationTime('1h');
