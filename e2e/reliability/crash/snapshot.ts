import type { PaymentMethod } from '@arboleda/contracts/payment-method.ts';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTurn } from '../../harness/wait.ts';
import type { StoredPhoto, Stores } from './stores.ts';

/** Contents of all stores after a run. The checker reads them itself, not through the code under test. */
export interface Snapshot {
  /** From the card provider. */
  charges: { intentId: string; amount: number; status: string; orderId?: string; purchaseId?: string }[];
  refunds: { refundId: string; amount: number; status: string }[];
  /** From payments' schema. */
  transfers: { orderId: string; status: string; evidence: number; evidenceKept: number }[];
  purchases: { purchaseId: string; orderId: string; status: string; intentId: string | undefined }[];
  /** From orders' store. */
  orders: OrderSeen[];
  /** Orders that assignments and notifications know. */
  assigned: { orderId: string; status: string }[];
  toldOf: readonly string[];
  /** From media's store and its objects. */
  photos: PhotoSeen[];
  /** Emails that the mail server accepted. */
  mails: readonly MailSeen[];
  /** Rows, jobs and letters that should not be there when everything is quiet. */
  leftovers: { what: string; count: number }[];
}

export interface OrderSeen {
  id: string;
  token: string;
  email: string;
  kind: PaymentMethod['kind'];
  transactionId: string | undefined;
  amount: number;
  status: string;
  revision: number;
  verification: string | undefined;
  refunds: string[];
  purchases: string[];
  photos: string[];
  history: Line[];
}

/** A line of an order's history. */
export interface Line {
  type: string;
  from?: string;
  to?: string;
}

interface PhotoSeen {
  filename: string;
  orderId: string;
  state: string;
  /** Hash of the stored original; undefined when it is missing. */
  originalSha256: string | undefined;
  /** Status of GET /api/photos/{filename}. */
  shown: number;
}

export interface MailSeen {
  messageId: string;
  to: string;
  subject: string;
  /** Tokens of the orders that its text links to. */
  orderTokens: string[];
  /** Milliseconds since 1970. */
  at: number;
}

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
export async function readSnapshot(parts: {
  stores: Stores;
  url: string;
  stripe: { apiUrl: string; secretKey: string };
  mails: readonly MailSeen[];
}): Promise<Snapshot> {
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
async function readTransfers(stores: Stores): Promise<Snapshot['transfers']> {
  const transfers = await stores.rows<{ id: string; order_id: string; status: string; hashes: string[] }>(
    `select t.id, t.order_id, t.status, array_agg(e.sha256 order by e.position) as hashes
     from payments.transfers t join payments.transfer_evidence e on e.transfer_id = t.id group by t.id`,
  );
  return readAll(transfers, async ({ id, order_id: orderId, status, hashes }) => {
    let evidenceKept = 0;
    for (const position of hashes.keys()) {
      const view = await stores.object('payments', `evidence/${id}/${position}/view.jpg`);
      if (view && isJpeg(view)) evidenceKept++;
    }
    return { orderId, status, evidence: hashes.length, evidenceKept };
  });
}

const readPhotos = (stores: Stores, url: string, photos: readonly StoredPhoto[]): Promise<PhotoSeen[]> =>
  readAll(photos, async ({ filename, orderId, state }) => {
    const original = await stores.object('media', `originals/${filename}`);
    const response = await fetch(`${url}/api/photos/${filename}?w=320`);
    const shown = (await response.arrayBuffer()).byteLength > 0 ? response.status : 0;
    return { filename, orderId, state, originalSha256: original && sha256(original), shown };
  });

const readAll = <T, R>(all: readonly T[], read: (one: T) => Promise<R>): Promise<R[]> =>
  inTurn(all.length, (at) => read(all[at]!), 8);

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Its first and last bytes: nothing of it is missing. */
const isJpeg = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xff && bytes[1] === 0xd8 && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9;

/** An email in maildev's API. */
interface Received {
  id: string;
  subject: string;
  text: string;
  to: { address: string }[];
  headers: Record<string, string>;
  date: string;
  time: string;
}

const EMPTY_EVERY_MS = 1_000;

/** Takes mails out of the server as they come: thousands of them are more than it can keep in memory. */
interface Postbox {
  readonly mails: readonly MailSeen[];
  /** Takes out what is there now. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

export function openPostbox(inboxUrl: string): Postbox {
  const mails: MailSeen[] = [];
  const taken = new Set<string>();
  let isClosed = false;
  const empty = async () => {
    const response = await fetch(new URL('/email', inboxUrl));
    for (const mail of (await response.json()) as Received[]) {
      if (!taken.has(mail.id)) mails.push(seen(mail));
      taken.add(mail.id);
      await (await fetch(new URL(`/email/${mail.id}`, inboxUrl), { method: 'DELETE' })).arrayBuffer();
    }
  };
  const emptying = (async () => {
    while (!isClosed) {
      // Emails that cannot be read now are read the next time, and once more at the end.
      await empty().catch(() => undefined);
      await sleep(EMPTY_EVERY_MS);
    }
  })();
  return {
    mails,
    empty,
    async close() {
      isClosed = true;
      await emptying;
    },
  };
}

const seen = ({ headers, to, subject, text, time }: Received): MailSeen => ({
  messageId: headers['message-id'] ?? '',
  to: to[0]?.address ?? '',
  subject,
  orderTokens: [...new Set([...text.matchAll(/\/orders\/([\w-]+)/g)].map((match) => match[1]!))],
  at: new Date(time).getTime(),
});
