import type { PhotoPackageType } from '@arboleda/contracts/packages.ts';
import { DEMO_WORKERS } from './accounts.ts';
import type { Line } from './line.ts';
import { isRefusedAs } from './refused.ts';
import { until } from './until.ts';

/**
 * Buys growth updates for an order of the demo's customer, and waits until its worker has the first visit. It is
 * idempotent.
 */
export async function buyGrowth(
  line: Line,
  orderId: string,
  photoPackageType: PhotoPackageType,
): Promise<void> {
  const { photoPackages } = await line.api('GET /api/config');
  const offered = photoPackages.find((one) => one.photoPackageType === photoPackageType);
  // An installation may sell other packages, or none.
  if (!offered) return;
  try {
    const { checkoutUrl } = await line.api('POST /api/payments/create-photo-package-checkout', {
      token: line.customerToken,
      body: { priceId: offered.priceId, originalOrderId: orderId },
    });
    await line.payByCard(await clientSecretOf(line, checkoutUrl));
  } catch (error) {
    if (!isRefusedAs(error, 'photo-package-active')) throw error;
  }
  await until(`growth visits of order ${orderId}`, line.signal, () => findVisit(line, orderId));
}

/** What the sandbox's payment page fetches when it opens. */
async function clientSecretOf({ stripeUrl, signal }: Line, checkoutUrl: string): Promise<string> {
  const page = new URL(`${new URL(checkoutUrl).pathname}/intent`, stripeUrl);
  const response = await fetch(page, { method: 'POST', signal });
  if (!response.ok) throw new Error(`the page to pay growth updates on answered ${response.status}`);
  return ((await response.json()) as { clientSecret: string }).clientSecret;
}

async function findVisit(line: Line, orderId: string): Promise<true | undefined> {
  for (const { email } of DEMO_WORKERS) {
    const token = line.workerTokens.get(email);
    const { visits } = await line.api('GET /api/workers/growth-visits', { token });
    if (visits.some((visit) => visit.orderId === orderId)) return true;
  }
  return undefined;
}
