import { Refused } from '@arboleda/contracts/client.ts';
import { randomUUID } from 'node:crypto';
import { type Line, withComment } from './line.ts';
import { expectSoon, persist } from './persist.ts';

interface Paid {
  orderId: string;
  amount: number;
}

const intentIdOf = (clientSecret: string): string => clientSecret.split('_secret_')[0]!;

/** The card page's own call: paid once, however often it is asked. */
async function confirm({ stripe }: Line, clientSecret: string): Promise<string> {
  const id = intentIdOf(clientSecret);
  const ask = async (signal: AbortSignal, path: string, init: RequestInit) => {
    const response = await fetch(`${stripe.apiUrl}/v1/payment_intents/${path}`, {
      ...{ ...init, signal },
      headers: { authorization: `Bearer ${stripe.publishableKey}` },
    });
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return (await response.json()) as { status: string };
  };
  await persist('the card', async (signal) => {
    const query = new URLSearchParams({ client_secret: clientSecret });
    if ((await ask(signal, `${id}?${query}`, {})).status === 'succeeded') return;
    const body = new URLSearchParams({ client_secret: clientSecret, payment_method: 'pm_card_visa' });
    await ask(signal, `${id}/confirm`, { method: 'POST', body });
  });
  return id;
}

/** Pays by card, and waits until the private link shows the order. */
export async function buyByCard(line: Line, email: string, trees = 1): Promise<Paid> {
  const { api, told } = line;
  const idempotencyKey = randomUUID();
  const intent = await persist('a payment intent', (signal) =>
    api('POST /api/pricing/create-payment-intent', {
      ...{ idempotencyKey, signal },
      body: {
        ...{ packageType: 'custom', trees, currency: 'USD', locale: 'en' },
        ...{ customerEmail: email, customerName: 'Ana Prueba' },
      },
    }),
  );
  const intentId = await confirm(line, intent.client_secret);
  told.paid.push({ orderId: intent.orderId, intentId, email });
  await expectSoon(`order ${intent.orderId}`, (signal) => track(line, intent.orderToken, signal));
  return { orderId: intent.orderId, amount: intent.amount };
}

const track = ({ api }: Line, token: string, signal: AbortSignal) =>
  api('GET /api/track/{token}', { params: { token }, signal }).catch((error: unknown) => {
    if (error instanceof Refused && error.status === 404) return undefined;
    throw error;
  });

/** Announces a transfer with its proof; an admin approves or rejects it. */
export async function buyByTransfer(line: Line, email: string, isGenuine: boolean): Promise<void> {
  const { api, told, tokens } = line;
  const idempotencyKey = randomUUID();
  const evidence = withComment(line.files.evidence, idempotencyKey);
  const { orderId } = await persist('a transfer', (signal) => {
    const body = new FormData();
    const form = {
      ...{
        trees: '3',
        packageType: 'custom',
        currency: 'COP',
        customerEmail: email,
        customerName: 'Luis Prueba',
      },
      ...{ customerPhone: '+57 300 000 0000', paymentMethod: 'manual_bancolombia', bankName: 'bancolombia' },
      ...{ referenceNumber: idempotencyKey.slice(0, 12), locale: 'es' },
    };
    for (const [name, value] of Object.entries(form)) body.append(name, value);
    body.append('evidenceFiles', new Blob([evidence], { type: 'image/jpeg' }), 'recibo.jpg');
    return api('POST /api/manual-payments/create-order', { idempotencyKey, body, signal });
  });
  const taken: (typeof told.transfers)[number] = { orderId, email, decision: undefined };
  told.transfers.push(taken);
  const key = randomUUID();
  const by = { token: tokens.admin, params: { id: orderId }, idempotencyKey: key };
  await persist('a decision on a transfer', (signal) =>
    (isGenuine
      ? api('POST /api/admin/manual-payments/verify/{id}', { ...by, signal, body: {} })
      : api('POST /api/admin/manual-payments/reject/{id}', { ...by, signal, body: { reason: 'No llegó.' } })
    ).catch(unlessDecided(isGenuine)),
  );
  taken.decision = isGenuine ? 'approved' : 'rejected';
}

/** The first call was lost on its way back. */
const unlessDecided = (isGenuine: boolean) => (error: unknown) => {
  const own = isGenuine ? 'transfer-already-approved' : 'transfer-already-rejected';
  if (!(error instanceof Refused && error.problem?.type === own)) throw error;
};

/** A customer buys an order and a photo package for it. */
export async function buyGrowth(line: Line): Promise<void> {
  const { api, told, tokens } = line;
  const { orderId } = await buyByCard(line, line.customerEmail);
  const { photoPackages } = await persist('the shop', (signal) => api('GET /api/config', { signal }));
  const { priceId } = photoPackages[0]!;
  const { checkoutUrl } = await persist('a checkout session', (signal) =>
    api('POST /api/payments/create-photo-package-checkout', {
      ...{ token: tokens.customer, signal, body: { priceId, originalOrderId: orderId } },
    }),
  );
  const clientSecret = await persist('the page to pay on', async (signal) => {
    const page = new URL(`${new URL(checkoutUrl).pathname}/intent`, line.stripe.apiUrl);
    const response = await fetch(page, { method: 'POST', signal });
    if (!response.ok) throw new Error(`the page to pay on answered ${response.status}`);
    return ((await response.json()) as { clientSecret: string }).clientSecret;
  });
  told.packages.push({ orderId, intentId: await confirm(line, clientSecret) });
}

/** An admin gives back a part of what was paid. */
export async function buyAndRefund(line: Line, email: string): Promise<void> {
  const { api, told, tokens } = line;
  const { orderId, amount } = await buyByCard(line, email, 4);
  const { payment } = await persist('a payment', (signal) =>
    api('GET /api/admin/orders/{id}/payment', { token: tokens.admin, params: { id: orderId }, signal }),
  );
  const idempotencyKey = randomUUID();
  const amountMinor = Math.round(amount / 4);
  const { refund } = await persist('a refund', (signal) =>
    api('POST /api/admin/payments/{id}/refunds', {
      ...{ token: tokens.admin, params: { id: payment.paymentId }, idempotencyKey, signal },
      body: { amount: amountMinor, reason: 'Un árbol menos.' },
    }),
  );
  told.refunds.push({ orderId, refundId: refund.refundId, amountMinor });
}

/** Opens an account; the mail that verifies its address must come. */
export async function register(line: Line, email: string): Promise<void> {
  await persist('an account', (signal) =>
    line
      .api('POST /api/auth/customer/register', {
        ...{ signal, body: { name: 'Eva Prueba', email, password: 'guadua-cedro-7310' } },
      })
      .catch((error: unknown) => {
        // The first call was lost on its way back.
        if (!(error instanceof Refused && error.problem?.type === 'email-taken')) throw error;
      }),
  );
  line.told.registered.push(email);
}
