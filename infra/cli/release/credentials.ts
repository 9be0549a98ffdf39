import { credentialOf } from '@arboleda/orders/certificate/credential.ts';
import { certificateKeys } from '@arboleda/orders/certificate/keys.ts';
import { statusEntryOf } from '@arboleda/orders/certificate/status-list.ts';
import type { Order } from '@arboleda/orders/order/order.ts';
import { generateKeyPairSync } from 'node:crypto';
import { linesOf, type Promised } from './promised.ts';

const SITE = 'https://arboleda.example';

/**
 * A signed certificate of each release by its version, as donors keep it. Its private key is lost, as after a change of the
 * key. services/orders/certificate/released.test.ts verifies each as others do.
 */
export const credentials: Promised = {
  file: 'credentials.json',
  freeze(_root, version, before = '{}') {
    const released = JSON.parse(before) as Record<string, unknown>;
    return linesOf({ ...released, [version]: released[version] ?? credentialNow() });
  },
  broken: () => [],
};

function credentialNow(): unknown {
  const version = {
    code: 'K7QF-M2XD-9WBN',
    issuedAt: '2026-11-29T20:00:00.000Z',
    facts: {
      trees: 5,
      place: 'Vereda Cocora, Salento',
      plantedOn: '2026-11-25',
      plantedBy: 'Ana',
      completedOn: '2026-11-28',
      growthUpdates: 1,
      lastGrowthUpdateOn: '2026-11-29',
      photo: 'Zk3vX1qTz8mYw2LpQe7R9a.jpg',
    },
  };
  const certificate = { name: 'Alba Díaz', language: 'es' as const, versions: [version] };
  const order = { certificate, photos: [{ filename: version.facts.photo }] } as unknown as Order;
  const { privateKey: key } = generateKeyPairSync('ed25519');
  return credentialOf({ order, certificate, version, number: 1, state: 'valid' }, statusEntryOf(0), {
    keys: certificateKeys({ siteUrl: SITE, key, formerKeys: [] }),
    siteUrl: SITE,
    name: 'Arboleda S.A.S. BIC',
  });
}
