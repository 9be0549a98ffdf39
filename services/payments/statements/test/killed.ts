import type { CrashPoint } from '@arboleda/chassis/crash-point.ts';
import { TEST_ORDER_TOKEN_SECRET, testServiceConfig } from '@arboleda/chassis/testing/config.ts';
import { subscribe } from 'node:diagnostics_channel';
import { startPayments } from '../../service.ts';

/** A payments service of its own process, which dies as by kill −9 at a point that it is told. */
const { databaseUrl, jwksUrl, accountNumber } = JSON.parse(process.argv[2]!) as Record<string, string>;
const NEVER_MS = 24 * 60 * 60_000;

let point: CrashPoint | undefined;
process.on('message', (message: CrashPoint) => {
  point = message;
  process.send!('armed');
});
process.on('disconnect', () => process.exit());
subscribe('arboleda:crash-point', (passed) => {
  if (passed === point) process.kill(process.pid, 'SIGKILL');
});

const { url } = await startPayments({
  ...testServiceConfig({ databaseUrl: databaseUrl!, jwksUrl: jwksUrl! }),
  stripe: {
    secretKey: 'sk_test_none',
    publishableKey: 'pk_test_none',
    webhookSecrets: ['whsec_none'],
    apiUrl: 'http://127.0.0.1:1',
    scriptUrl: 'http://127.0.0.1:1/stripe.js',
    detailWithinMs: 3_000,
  },
  quoteSecret: 'a quote secret that only tests know',
  orderTokenSecret: TEST_ORDER_TOKEN_SECRET,
  bankAccounts: [
    { bank: 'bancolombia', accountType: 'A', accountNumber: accountNumber!, holder: 'H', taxId: 'T' },
  ],
  siteUrl: 'https://arboleda.test',
  photoPackages: {},
  transfers: {},
  abandonedDays: 90,
  reconcile: {
    intervalMs: NEVER_MS,
    listsIntervalMs: NEVER_MS,
    chargesIntervalMs: NEVER_MS,
    afterMs: NEVER_MS,
  },
});
process.send!(url);
