import { createHash } from 'node:crypto';
import { openProvider, type ProviderState } from '../../driver/provider.ts';
import type { Running } from '../../harness/product.ts';
import { type Going, inTurn, repeatedly } from '../../harness/wait.ts';
import type { Promises } from './people.ts';
import type { Stores } from './stores.ts';

/** Contents of all stores after a run, read without the services. */
export interface Snapshot {
  /** From the card provider. */
  charges: Charge[];
  refunds: { refundId: string; amount: number }[];
  /** From payments' schema. */
  transfers: { orderId: string; status: string; evidence: number; evidenceKept: number }[];
  purchases: { purchaseId: string; orderId: string; intentId: string | null }[];
  orders: OrderSeen[];
  /** Orders that assignments and notifications know. */
  assigned: { orderId: string; status: string }[];
  notified: string[];
  photos: PhotoSeen[];
  /** Emails that the mail server accepted. */
  mails: MailSeen[];
  /** Work that is not finished. */
  leftovers: { what: string; count: number }[];
}

/** A charge that succeeded, with the metadata of its intent: `purchaseId` for a photo package. */
export interface Charge {
  intentId: string;
  amount: number;
  orderId?: string;
  purchaseId?: string;
}

export interface OrderSeen {
  id: string;
  token: string;
  email: string;
  kind: 'card' | 'transfer';
  transactionId: string | null;
  amount: number;
  status: string;
  revision: number;
  verification: string | null;
  refunds: string[];
  purchases: string[];
  photos: string[];
  history: { type: string; from?: string; to?: string }[];
}

interface PhotoSeen {
  filename: string;
  /** Hash of the stored original; undefined when it is missing. */
  originalSha256: string | undefined;
  /** Status of GET /api/photos/{filename}; 0 for an empty answer. */
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

const ORDERS = `
  select id, token, customer ->> 'email' as email, payment_kind as kind, transaction_id as "transactionId",
    amount_minor::float8 as amount, status, status_revision as revision,
    manual_payment ->> 'verificationStatus' as verification,
    jsonb_path_query_array(refunds, '$[*].refundId') as refunds,
    jsonb_path_query_array(growth, '$[*].purchaseId') as purchases,
    jsonb_path_query_array(photos, '$[*].filename') as photos, timeline as history
  from orders.orders`;

const succeeded = <T extends { status: string }>(all: readonly T[]) =>
  all.filter(({ status }) => status === 'succeeded');

export function chargesOf({ payment_intents: intents, charges }: ProviderState): Charge[] {
  const metadata = new Map(intents.map((intent) => [intent.id, intent.metadata]));
  return succeeded(charges).map(({ payment_intent: intentId, amount }) => ({
    intentId,
    amount,
    ...metadata.get(intentId),
  }));
}

export async function readSnapshot(
  stores: Stores,
  product: Running,
  promises: Promises,
  mails: MailSeen[],
): Promise<Snapshot> {
  const provider = await openProvider(product).state();
  const notified = await stores.rows<{ id: string }>('select id from notifications.orders');
  return {
    charges: chargesOf(provider),
    refunds: succeeded(provider.refunds).map(({ amount, metadata: { refundId = '' } }) => ({
      refundId,
      amount,
    })),
    transfers: await readTransfers(stores),
    purchases: await stores.rows(
      'select id as "purchaseId", order_id as "orderId", transaction_id as "intentId" from payments.package_purchases',
    ),
    orders: await stores.rows<OrderSeen>(ORDERS),
    assigned: await stores.rows('select order_id as "orderId", status from assignments.assignments'),
    notified: notified.map(({ id }) => id),
    photos: await readAll(promises.photos, async ({ filename }) => {
      const original = await stores.object('media', `originals/${filename}`);
      const response = await fetch(`${product.url}/api/photos/${filename}?w=320`);
      const shown = (await response.arrayBuffer()).byteLength > 0 ? response.status : 0;
      return { filename, originalSha256: original && sha256(original), shown };
    }),
    mails,
    leftovers: await stores.leftovers(),
  };
}

async function readTransfers(stores: Stores): Promise<Snapshot['transfers']> {
  const transfers = await stores.rows<{ id: string; orderId: string; status: string; evidence: number }>(
    `select t.id, t.order_id as "orderId", t.status, count(*)::int as evidence
     from payments.transfers t join payments.transfer_evidence e on e.transfer_id = t.id group by t.id`,
  );
  return readAll(transfers, async ({ id, ...transfer }) => {
    let evidenceKept = 0;
    for (let position = 0; position < transfer.evidence; position++) {
      const view = await stores.object('payments', `evidence/${id}/${position}/view.jpg`);
      if (view && isJpeg(view)) evidenceKept++;
    }
    return { ...transfer, evidenceKept };
  });
}

const readAll = <T, R>(all: readonly T[], read: (one: T) => Promise<R>): Promise<R[]> =>
  inTurn(all.length, (at) => read(all[at]!), 8);

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** By its first and last bytes, so that a truncated file is none. */
const isJpeg = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xff && bytes[1] === 0xd8 && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9;

/** An email in maildev's API. */
interface Received {
  id: string;
  subject: string;
  text: string;
  to: { address: string }[];
  headers: Record<string, string>;
  time: string;
}

const EMPTY_EVERY_MS = 1_000;

/** Moves emails out of maildev, which keeps them all in memory. */
export function openPostbox(inboxUrl: string): Going<MailSeen[]> {
  const mails = new Map<string, MailSeen>();
  const empty = async () => {
    const response = await fetch(new URL('/email', inboxUrl));
    for (const { id, headers, to, subject, text, time } of (await response.json()) as Received[]) {
      mails.set(id, {
        messageId: headers['message-id'] ?? '',
        to: to[0]?.address ?? '',
        subject,
        orderTokens: [...new Set([...text.matchAll(/\/orders\/([\w-]+)/g)].map((match) => match[1]!))],
        at: new Date(time).getTime(),
      });
      await (await fetch(new URL(`/email/${id}`, inboxUrl), { method: 'DELETE' })).arrayBuffer();
    }
  };
  // Emails that cannot be read now are read the next time.
  const emptying = repeatedly(() => empty().catch(() => undefined), EMPTY_EVERY_MS);
  return {
    async stop() {
      await emptying.stop();
      await empty();
      return [...mails.values()];
    },
  };
}
