import type { Role } from '@arboleda/contracts/roles.ts';
import { ROLES } from '@arboleda/contracts/roles.ts';
import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { openFilledProduct, type FilledProduct } from '../../api/filled-product.ts';
import { openCollector } from './collector.ts';

/** One filled copy of the product that all topics attack, and the key by which it signs: nobody else has it. */
export interface Target {
  filled: FilledProduct;
  /** Tokens of the owners of the test objects, by role. */
  tokens: Record<Role, string>;
  signingKey: KeyObject;
  publicKey: KeyObject;
  /** Less of what takes long. */
  short: boolean;
  /** All that was told to the collector of traces, as text. */
  traces(): string;
  close(): Promise<void>;
}

export async function openTarget(options: { short: boolean }): Promise<Target> {
  const { privateKey: signingKey } = generateKeyPairSync('ed25519');
  const collector = await openCollector();
  const filled = await openFilledProduct({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    AUTH_SIGNING_KEY: signingKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    // The log is scanned for secrets.
    LOG_LEVEL: 'debug',
  }).catch(async (error: unknown) => {
    await collector.close();
    throw error;
  });
  const tokens = await Promise.all(ROLES.map(async (role) => [role, await filled.token(role)] as const));
  return {
    ...options,
    filled,
    signingKey,
    publicKey: createPublicKey(signingKey),
    tokens: Object.fromEntries(tokens) as Record<Role, string>,
    traces: collector.text,
    async close() {
      await filled.close();
      await collector.close();
    },
  };
}
