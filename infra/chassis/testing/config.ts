import { newSealingKey, publicHalfOf, seal, sealingPrivateKey, sealingPublicKey, unseal } from '../sealed.ts';
import { MAX_CALLS_IN_FLIGHT, type ServiceConfig, type ServiceUrls } from '../config.ts';

/** Every service of a test shares it. */
export const TEST_SERVICE_SECRET = 'a secret that only the tests know of';

const key = newSealingKey();
/** As their variables have them. */
export const TEST_MAIL_TOKEN_KEYS = { MAIL_TOKEN_PRIVATE_KEY: key, MAIL_TOKEN_PUBLIC_KEY: publicHalfOf(key) };

/** The tokens of mailed links, as auth seals and notifications opens them. */
export const TEST_MAIL_TOKENS = {
  publicKey: sealingPublicKey.parse(TEST_MAIL_TOKEN_KEYS.MAIL_TOKEN_PUBLIC_KEY),
  privateKey: sealingPrivateKey.parse(TEST_MAIL_TOKEN_KEYS.MAIL_TOKEN_PRIVATE_KEY),
  seal: (token: string, email: string) => seal(token, email, TEST_MAIL_TOKENS.publicKey),
  open: ({ sealedToken, email }: { sealedToken: string; email: string }): Promise<string> =>
    unseal(sealedToken, email, TEST_MAIL_TOKENS.privateKey),
};

/** What a service needs besides its own variables: a free port, silence, and a test's engines. */
export function testServiceConfig(parts: {
  databaseUrl: string;
  jwksUrl: string;
  serviceUrls?: ServiceUrls;
  objectsDir?: string;
}): ServiceConfig {
  return {
    host: '127.0.0.1',
    port: 0,
    logLevel: 'silent',
    drainMs: 0,
    maxCallsInFlight: MAX_CALLS_IN_FLIGHT,
    jwksUrl: parts.jwksUrl,
    serviceSecret: TEST_SERVICE_SECRET,
    serviceUrls: parts.serviceUrls ?? {},
    platform: {
      databaseUrl: parts.databaseUrl,
      objectsDir: parts.objectsDir ?? '.data/test-objects',
      smtpUrl: 'smtp://127.0.0.1:1',
      mailFrom: 'Arboleda <hola@arboleda.test>',
    },
  };
}
