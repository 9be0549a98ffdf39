import type { Endpoint, EndpointKey } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { PHOTO_FILES } from '../../api/fuzz/photo-files.ts';
import { aGift } from '../../api/gift.ts';
import type { Objects } from '../../api/objects.ts';

/** A body that gets past validation, so that the answer is about whose it is. */
export function bodyFor(key: EndpointKey, objects: Objects): unknown {
  const { upload }: Endpoint = ENDPOINTS[key as keyof typeof ENDPOINTS];
  if (!upload) return SHAPED[key]?.(objects);
  const form = new FormData();
  form.append(upload.field, new Blob([new Uint8Array(PHOTO_FILES.webp)]), 'photo.webp');
  return form;
}

const SHAPED: Partial<Record<EndpointKey, (objects: Objects) => unknown>> = {
  'PUT /api/workers/assignments/{id}/status': () => ({ status: 'planted' }),
  'POST /api/payments/create-photo-package-checkout': ({ orderId }) => ({
    priceId: 'price_lifetime',
    originalOrderId: orderId,
  }),
  'POST /api/track/{token}/receipt': () => ({ email: 'guesser@api.test' }),
  'POST /api/customers/orders/{id}/certificate': () => ({ name: null, language: 'en' }),
  'POST /api/track/{token}/certificate': () => ({ name: null, language: 'en', email: 'guesser@api.test' }),
  'POST /api/track/{token}/withdrawal': () => ({ email: 'guesser@api.test' }),
  'POST /api/track/{token}/withdrawal/retract': () => ({ email: 'guesser@api.test' }),
  'POST /api/customers/orders/{id}/withdrawal': () => ({}),
  'POST /api/admin/orders/{id}/withdrawal/retract': () => ({ reason: 'They called' }),
  'POST /api/track/{token}/gift': () => ({ email: 'guesser@api.test' }),
  'PUT /api/track/{token}/gift': () => ({ email: 'guesser@api.test', gift: aGift() }),
  'POST /api/track/{token}/gift/send-again': () => ({ email: 'guesser@api.test' }),
  'POST /api/track/{token}/gift/card': () => ({ email: 'guesser@api.test' }),
  'PUT /api/customers/orders/{id}/gift': () => ({ gift: aGift() }),
  'POST /api/gifts/{token}/thanks': () => ({ text: 'Thank you!' }),
  'PUT /api/mail/preferences/{token}': () => ({ news: false }),
};
