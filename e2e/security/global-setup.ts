import { generateKeyPairSync } from 'node:crypto';
import { openFilledProduct } from '../api/filled-product.ts';
import { openCollector } from './collector.ts';
import type { SharedTarget } from './target.ts';

declare global {
  var closeTarget: (() => Promise<void>) | undefined;
}

/** One filled product for all files; SECURITY_TARGET holds its address and its signing key. */
export default async function setUp(): Promise<void> {
  const collector = await openCollector();
  globalThis.closeTarget = collector.close;
  const signingKey = generateKeyPairSync('ed25519')
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  const filled = await openFilledProduct({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    AUTH_SIGNING_KEY: signingKey,
    // The log is scanned for secrets.
    LOG_LEVEL: 'debug',
  }).catch(async (error: unknown) => {
    await collector.close();
    throw error;
  });
  globalThis.closeTarget = async () => {
    await filled.close();
    await collector.close();
  };
  const { product, objects } = filled;
  const shared: SharedTarget = { product, objects, signingKey, tracesUrl: collector.url };
  process.env.SECURITY_TARGET = JSON.stringify(shared);
}
