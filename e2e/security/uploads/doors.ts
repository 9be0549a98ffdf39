import { MAX_PHOTO_BYTES, MAX_PHOTOS_AT_ONCE } from '@arboleda/contracts/photo.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import type { Target } from '../frame/target.ts';
import { type Sent, textPart } from './multipart.ts';

/** Somewhere a stranger or a worker may send files to, and where what was made of them can be looked at. */
export interface Door {
  name: string;
  field: string;
  most: number;
  maxBytes: number;
  /** Text fields of a proper form. */
  fields(): Buffer[];
  send(sent: Sent): Promise<{ status: number; text: string }>;
  /** The accepted file as people see it; undefined while it is processed. */
  shown(answer: string): Promise<Response[] | undefined>;
}

const TRANSFERS = ENDPOINTS['POST /api/manual-payments/create-order'].upload;

export function doorsOf(target: Target): Door[] {
  const { objects } = target.filled;
  return [
    photos(target, 'photos of a planting', `/api/workers/assignments/${objects.assignmentId}/photos`),
    photos(target, 'photos of a growth visit', `/api/workers/growth-visits/${objects.visitId}/photos`),
    evidence(target),
  ];
}

async function post(url: string, token: string | undefined, { contentType, body, headers }: Sent) {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': contentType,
      ...(token && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: new Uint8Array(body),
  });
  return { status: response.status, text: await response.text() };
}

function photos({ filled: { product }, tokens }: Target, name: string, path: string): Door {
  return {
    name,
    field: 'photos',
    most: MAX_PHOTOS_AT_ONCE,
    maxBytes: MAX_PHOTO_BYTES,
    fields: () => [],
    send: (sent) => post(product.url + path, tokens.worker, sent),
    async shown(answer) {
      const { photos: taken } = JSON.parse(answer) as { photos: { filename: string }[] };
      const responses = await Promise.all(
        taken.map(({ filename }) => fetch(`${product.url}/api/photos/${filename}`)),
      );
      return responses.every(({ ok }) => ok) ? responses : undefined;
    },
  };
}

function evidence({ filled: { product }, tokens }: Target): Door {
  const asAdmin = { headers: { Authorization: `Bearer ${tokens.admin}` } };
  return {
    name: 'proofs of a transfer',
    field: TRANSFERS.field,
    most: TRANSFERS.maxCount,
    maxBytes: TRANSFERS.maxBytes,
    fields: () =>
      Object.entries({
        trees: '1',
        packageType: 'individual',
        currency: 'COP',
        customerName: 'Hostil Prueba',
        customerEmail: 'hostile@security.test',
        customerPhone: '',
        referenceNumber: '',
      }).map(([name, value]) => textPart(name, value)),
    send: (sent) => post(`${product.url}/api/manual-payments/create-order`, undefined, sent),
    async shown(answer) {
      const { orderId } = JSON.parse(answer) as { orderId: string };
      const found = await fetch(
        `${product.url}/api/admin/manual-payments/pending-verification?limit=100&status=all`,
        asAdmin,
      );
      const { orders } = (await found.json()) as {
        orders: { _id: string; manualPayment: { evidenceFiles: { filename: string }[] } }[];
      };
      const files = orders.find(({ _id }) => _id === orderId)?.manualPayment.evidenceFiles;
      const urls = files?.map(
        ({ filename }) => `${product.url}/api/admin/manual-payments/evidence/${filename}`,
      );
      return urls && Promise.all(urls.map((url) => fetch(url, asAdmin)));
    },
  };
}
