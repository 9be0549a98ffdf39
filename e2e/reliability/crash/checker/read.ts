import { createHash } from 'node:crypto';
import type { StoredPhoto, Stores } from './stores.ts';
import type { MailSeen, OrderSeen, PhotoSeen, World } from './world.ts';

/** The sandbox's state. */
interface Provider {
  payment_intents: { id: string; metadata: Record<string, string> }[];
  charges: { payment_intent: string; amount: number; status: string }[];
  refunds: { amount: number; status: string; metadata: Record<string, string> }[];
}

const ORDERS = `
  select id, token, customer ->> 'email' as email, payment_kind as kind, transaction_id as "transactionId",
    amount_minor::float8 as amount, status, status_revision as revision,
    manual_payment ->> 'verificationStatus' as verification,
    jsonb_path_query_array(refunds, '$[*].refundId') as refunds,
    jsonb_path_query_array(growth, '$[*].purchaseId') as purchases,
    jsonb_path_query_array(photos, '$[*].filename') as photos, timeline as history
  from orders.orders`;
type OrderRow = Omit<OrderSeen, 'transactionId' | 'verification'> & {
  transactionId: string | null;
  verification: string | null;
};

/** Reads everything, each from its own store. */
export async function readWorld(parts: {
  stores: Stores;
  url: string;
  stripe: { apiUrl: string; secretKey: string };
  mails: readonly MailSeen[];
}): Promise<World> {
  const { stores, url, stripe, mails } = parts;
  const provider = await readProvider(stripe);
  const [orders, assigned, photos, toldOf, leftovers] = await Promise.all([
    stores.rows<OrderRow>(ORDERS),
    stores.rows<{ orderId: string; status: string }>(
      'select order_id as "orderId", status from assignments.assignments',
    ),
    stores.photos(),
    stores.rows<{ id: string }>('select id from notifications.orders'),
    stores.leftovers(),
  ]);
  return {
    ...provider,
    transfers: await readTransfers(stores),
    purchases: await stores.rows(
      `select id as "purchaseId", order_id as "orderId", status, transaction_id as "intentId"
       from payments.package_purchases`,
    ),
    orders: orders.map(orderSeen),
    assigned,
    toldOf: toldOf.map(({ id }) => id),
    photos: await readPhotos(stores, url, photos),
    mails,
    leftovers,
  };
}

async function readProvider({ apiUrl, secretKey }: { apiUrl: string; secretKey: string }) {
  const response = await fetch(`${apiUrl}/sandbox/state`, {
    headers: { authorization: `Bearer ${secretKey}` },
  });
  const { payment_intents: intents, charges, refunds } = (await response.json()) as Provider;
  const metadata = new Map(intents.map((intent) => [intent.id, intent.metadata]));
  return {
    charges: charges.map(({ payment_intent: intentId, amount, status }) => ({
      intentId,
      amount,
      status,
      ...metadata.get(intentId),
    })),
    refunds: refunds.map(({ amount, status, metadata: { refundId = '' } }) => ({ refundId, amount, status })),
  };
}

const orderSeen = ({ transactionId, verification, ...row }: OrderRow): OrderSeen => ({
  ...row,
  transactionId: transactionId ?? undefined,
  verification: verification ?? undefined,
});

/** Each with how many of its files are where they should be, and what they should be. */
async function readTransfers(stores: Stores): Promise<World['transfers']> {
  const transfers = await stores.rows<{ id: string; order_id: string; status: string; hashes: string[] }>(
    `select t.id, t.order_id, t.status, array_agg(e.sha256 order by e.position) as hashes
     from payments.transfers t join payments.transfer_evidence e on e.transfer_id = t.id group by t.id`,
  );
  return inTurn(transfers, async ({ id, order_id: orderId, status, hashes }) => {
    let evidenceKept = 0;
    for (const position of hashes.keys()) {
      const view = await stores.object('payments', `evidence/${id}/${position}/view.jpg`);
      if (view && isJpeg(view)) evidenceKept++;
    }
    return { orderId, status, evidence: hashes.length, evidenceKept };
  });
}

const readPhotos = (stores: Stores, url: string, photos: readonly StoredPhoto[]): Promise<PhotoSeen[]> =>
  inTurn(photos, async ({ filename, orderId, state }) => {
    const original = await stores.object('media', `originals/${filename}`);
    const response = await fetch(`${url}/api/photos/${filename}?w=320`);
    const shown = (await response.arrayBuffer()).byteLength > 0 ? response.status : 0;
    return { filename, orderId, state, originalSha256: original && sha256(original), shown };
  });

const AT_ONCE = 8;

/** Some at a time, in their order. */
async function inTurn<T, R>(all: readonly T[], read: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(read))));
  }
  return results;
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Its first and last bytes: nothing of it is missing. */
const isJpeg = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xff && bytes[1] === 0xd8 && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9;
