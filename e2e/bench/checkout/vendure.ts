import { byClients, type Contestant } from './contestant.ts';
import { startPeerShop } from './peer-shop.ts';
import { openVendureBuyer } from './vendure-buyer.ts';

/** A shop of Vendure on a database of its own. */
export async function startVendure(databaseUrl: string): Promise<Contestant> {
  const { url, ready, stop } = await startPeerShop<{ variantId: string }>({
    name: 'vendure',
    packages: { '@vendure/core': '^3.0.0', pg: '^8.0.0' },
    files: ['vendure-peer.js'],
    databaseUrl,
  });
  const buy = openVendureBuyer(url, ready.variantId);
  return {
    name: 'Vendure',
    share: 0.25,
    warmsUpBy: 200,
    take: async (orders, clients) => ({ stored: await byClients(orders, clients, buy) }),
    stop,
  };
}
