import type { Caller, ServiceName } from '@arboleda/contracts/services.ts';
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { listen } from '../http/server.ts';
import { type Person, TOKEN_ISSUER } from '../http/identity.ts';
import { signServiceToken } from '../http/service-token.ts';
import { TEST_SERVICE_KEYS } from './config.ts';

export type TestPerson = Pick<Person, 'role'> & Partial<Person>;

/** Stands in for auth: its own key, and a server that shows the public half. */
export interface TestIdentity {
  jwksUrl: string;
  /** A valid token of a person; what is not said is made up. */
  token(person: TestPerson): Promise<string>;
  /** A valid token by which one service calls another. */
  serviceToken(from: Caller, to: ServiceName): Promise<string>;
  /** For tokens that are wrong in one way: signs whatever a test builds. */
  sign(token: SignJWT): Promise<string>;
  publicKey: CryptoKey;
  /** Ends the sessions of somebody below a version: who asks is told, which takes up to 5 s. */
  endSessions(accountId: string, tokenVersion: number): void;
  /** Whether it can be asked which sessions were ended; the keys can be had all the while. */
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

/** Claims of a person as auth states them, not yet signed. */
export const personToken = ({ role, ...person }: TestPerson): SignJWT =>
  new SignJWT({
    name: person.name ?? `Test ${role}`,
    email: person.email ?? `${role}@arboleda.test`,
    email_verified: person.emailVerified ?? true,
    tv: person.tokenVersion ?? 0,
  })
    .setIssuer(TOKEN_ISSUER)
    .setAudience(role)
    .setSubject(person.id ?? `${role}-1`)
    .setIssuedAt()
    .setExpirationTime('1h');
