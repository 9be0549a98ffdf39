import { CALLERS, type ServiceName } from '@arboleda/contracts/services.ts';
import { createPublicKey } from 'node:crypto';
import { newServiceKeys, publicKeysOf, type ServiceKeys, servicePrivateKey } from '../http/service-token.ts';
import { newKey, privateKeyOf, publicHalfOf, publicKeyOf } from '../keys.ts';
import { giftTokens, orderTokens } from '../order-token.ts';
import { seal, unseal } from '../sealed.ts';
import { MAX_CALLS_IN_FLIGHT, type ServiceConfig, type ServiceUrls } from '../config.ts';

const serviceKey = servicePrivateKey.parse(newServiceKeys().operator);
/** One key for all callers: a test of one service plays all of them. */
export const TEST_SERVICE_KEYS: ServiceKeys = {
  own: serviceKey,
  known: new Map(CALLERS.map((name) => [name, [createPublicKey(serviceKey)]])),
};

const serviceKeys = newServiceKeys();
/** Variables of separate processes, with a key for each service. */
export const testServiceKeyVariables = (name: ServiceName) => ({
  SERVICE_KEY: serviceKeys[name],
  SERVICE_PUBLIC_KEYS: publicKeysOf(serviceKeys),
});

export const TEST_ORDER_TOKEN_SECRET = 'tests make the links of orders by it';
export const testOrderToken = orderTokens(TEST_ORDER_TOKEN_SECRET);
export const testGiftToken = giftTokens(TEST_ORDER_TOKEN_SECRET);

/** Configuration of orders besides what every service has. */
export const TEST_CERTIFICATES = {
  siteUrl: 'https://arboleda.test',
  certificateKey: privateKeyOf('ed25519').parse(newKey('ed25519')),
  formerCertificateKeys: [],
};

const key = newKey('x25519');
/** Environment variables. */
export const TEST_MAIL_TOKEN_KEYS = { MAIL_TOKEN_PRIVATE_KEY: key, MAIL_TOKEN_PUBLIC_KEY: publicHalfOf(key) };

/** Keys for the tokens of mailed links: auth seals, notifications opens. */
export const TEST_MAIL_TOKENS = {
  publicKey: publicKeyOf('x25519').parse(TEST_MAIL_TOKEN_KEYS.MAIL_TOKEN_PUBLIC_KEY),
  privateKey: privateKeyOf('x25519').parse(TEST_MAIL_TOKEN_KEYS.MAIL_TOKEN_PRIVATE_KEY),
  seal: (token: string, email: string) => seal(token, email, TEST_MAIL_TOKENS.publicKey),
  open: ({ sealedToken, email }: { sealedToken: string; email: string }): Promise<string> =>
    unseal(sealedToken, email, TEST_MAIL_TOKENS.privateKey),
};

/** A service's configuration besides its own variables: a free port, no logs, and the test's engines. */
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
    serviceKeys: TEST_SERVICE_KEYS,
    serviceUrls: parts.serviceUrls ?? {},
    platform: {
      databaseUrl: parts.databaseUrl,
      objectsDir: parts.objectsDir ?? '.data/test-objects',
      smtpUrl: 'smtp://127.0.0.1:1',
      mailFrom: 'Arboleda <hola@arboleda.test>',
    },
  };
}
