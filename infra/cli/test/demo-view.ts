import { type CallApi, openClient } from '@arboleda/contracts/client.ts';
import { DEMO_ADMIN, DEMO_WORKERS } from '../demo/accounts.ts';

/** The demo's orders as admins and workers see them; constant over time. */
export async function openDemoView(url: string, password: string) {
  const api = openClient(url);
  const { token } = await api('POST /api/auth/admin/login', { body: { email: DEMO_ADMIN.email, password } });
  const workers: string[] = [];
  for (const { email } of DEMO_WORKERS) {
    workers.push((await api('POST /api/auth/worker/login', { body: { email, password } })).token);
  }
  return async () => {
    const { orders, counts } = await api('GET /api/admin/orders/manage', { token, query: { limit: 100 } });
    const attended = [];
    for (const { _id } of orders) attended.push(await attention(api, token, _id));
    let visitsDue = 0;
    for (const worker of workers) {
      visitsDue += (await api('GET /api/workers/growth-visits', { token: worker })).counts.due;
    }
    return { counts, attended, transfers: await transfers(api, token), visitsDue };
  };
}

async function attention(api: CallApi, token: string, id: string) {
  const { order } = await api('GET /api/admin/orders/{id}', { token, params: { id } });
  return {
    id,
    trees: order.trees,
    customerName: order.customerName,
    photos: order.photos.length,
    refunds: order.refunds.map(({ amount, reason }) => ({ amount, reason })),
    notes: order.internalNotes.map(({ text }) => text),
    edits: order.timeline.filter(({ type }) => type === 'edited').length,
    certificate: order.certificate && { version: order.certificate.version, state: order.certificate.state },
    gift: order.gift && { claimed: order.gift.claimedAt !== undefined, thanks: order.gift.thanks?.text },
    isWithdrawing: order.withdrawal !== undefined,
    growth: order.growthPurchases.map(({ photoPackageType }) => photoPackageType),
  };
}

async function transfers(api: CallApi, token: string) {
  const { orders } = await api('GET /api/admin/manual-payments/pending-verification', {
    token,
    query: { status: 'all' },
  });
  return orders.map(({ customerName, manualPayment }) => ({
    customerName,
    status: manualPayment.verificationStatus,
    files: manualPayment.evidenceFiles.length,
    flags: manualPayment.flags,
  }));
}
