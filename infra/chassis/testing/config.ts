import { MAX_CALLS_IN_FLIGHT, type ServiceConfig, type ServiceUrls } from '../config.ts';

/** Every service of a test shares it. */
export const TEST_SERVICE_SECRET = 'a secret that only the tests know of';

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
