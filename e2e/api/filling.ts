import type { CallApi } from '@arboleda/local/demo/api.ts';
import { openBuyer } from '../harness/buyer.ts';
import { openInbox } from '../harness/inbox.ts';
import type { Product } from '../harness/product.ts';
import { waitFor } from '../harness/wait.ts';
import { PHOTO_FILES } from './fuzz/photo-files.ts';

/** A photo of a planted assignment, once it can be looked at. */
export async function sendPhoto(
  call: CallApi,
  worker: string,
  assignmentId: string,
): Promise<{ id: string; filename: string }> {
  const body = new FormData();
  body.append('photos', new Blob([new Uint8Array(PHOTO_FILES.jpeg)]), 'planted.jpg');
  const { photos } = await call('POST /api/workers/assignments/{id}/photos', {
    token: worker,
    params: { id: assignmentId },
    body,
  });
  await waitFor('the photo of the planting', async () => {
    const { assignments } = await call('GET /api/workers/assignments', { token: worker });
    return assignments.some((assignment) => assignment.photos.length > 0);
  });
  return photos[0]!;
}

/** A bank transfer that nobody has verified, as the web app announces it. */
export async function sendTransfer(call: CallApi): Promise<{ orderId: string }> {
  const body = new FormData();
  for (const [name, value] of Object.entries({
    ...{ trees: '1', packageType: 'individual', currency: 'COP', paymentMethod: 'manual_bancolombia' },
    ...{
      customerEmail: 'transfer@api.test',
      customerName: 'Tomás Prueba',
      customerPhone: '+57 300 000 0000',
    },
    ...{ bankName: 'bancolombia', referenceNumber: 'REF-1' },
  })) {
    body.append(name, value);
  }
  body.append('evidenceFiles', new Blob([new Uint8Array(PHOTO_FILES.png)]), 'proof.png');
  return call('POST /api/manual-payments/create-order', { body });
}

export async function evidenceOf(call: CallApi, admin: string, orderId: string): Promise<string> {
  const { orders } = await call('GET /api/admin/manual-payments/pending-verification', { token: admin });
  return orders.find((order) => order._id === orderId)!.manualPayment.evidenceFiles[0]!.filename;
}

/** Growth updates bought at the provider's own page. @returns the first visit */
export async function buyGrowth(
  product: Product,
  call: CallApi,
  of: { orderId: string; customer: string; worker: string },
): Promise<string> {
  const { checkoutUrl } = await call('POST /api/payments/create-photo-package-checkout', {
    token: of.customer,
    body: { priceId: 'price_three_year', originalOrderId: of.orderId },
  });
  const response = await fetch(`${checkoutUrl}/intent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  const { clientSecret } = (await response.json()) as { clientSecret: string };
  await openBuyer(product).confirm({ client_secret: clientSecret });
  return waitFor('the visits of a growth package', async () => {
    const { visits } = await call('GET /api/workers/growth-visits', { token: of.worker });
    return visits[0]?._id;
  });
}

/** The secret of the link in a mail about photos. */
export function newsTokenOf(product: Product, address: string): Promise<string> {
  const inbox = openInbox(product.inboxUrl);
  return waitFor('a mail with a link to stop news', async () => {
    const texts = (await inbox.all(address)).map((mail) => mail.text);
    return texts.map((text) => /mail-preferences#token=([\w-]{22})/.exec(text)?.[1]).find(Boolean);
  });
}
