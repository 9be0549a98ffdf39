import { openClient } from '@arboleda/contracts/client.ts';
import type { Objects } from '../../api/objects.ts';
import { openPeople } from '../../api/people.ts';
import type { Running } from '../../harness/product.ts';
import { type Fingerprint, hashOf } from './fingerprint.ts';

/** Results of a rehearsal. */
export interface Rehearsed {
  rows: [what: string, figure: string][];
  violations: string[];
}

/** Reads what people see of an installation. @param session a customer's, from before the restore */
export async function look(at: Running, objects: Objects, session: string): Promise<Fingerprint> {
  const call = openClient(at.url);
  const { token } = openPeople(at, call);
  const shown = async (path: string, as?: string) => {
    const headers = { Accept: 'image/jpeg', ...(as && { Authorization: `Bearer ${as}` }) };
    const response = await fetch(new URL(path, at.url), { headers });
    const bytes = await response.bytes();
    return response.ok ? hashOf(bytes) : `answered ${response.status}`;
  };
  const statusOf = async (path: string, as?: string) => {
    const headers = { ...(as && { Authorization: `Bearer ${as}` }) };
    const response = await fetch(new URL(path, at.url), { headers });
    await response.arrayBuffer();
    return String(response.status);
  };
  const [customer, worker, admin] = [await token('customer'), await token('worker'), await token('admin')];
  const { orders } = await call('GET /api/customers/orders', { token: customer, query: {} });
  const { assignments } = await call('GET /api/workers/assignments', { token: worker });
  const evidence = `/api/admin/manual-payments/evidence/${objects.evidenceFilename}`;
  return new Map([
    ['orders of a customer', `${orders.map(({ _id }) => _id).sort()}`],
    ['assignment of a worker', String(assignments.some(({ _id }) => _id === objects.assignmentId))],
    ['private link', await statusOf(`/api/track/${objects.orderToken}`)],
    ['session of before', await statusOf('/api/auth/customer/verify', session)],
    ['photo', await shown(`/api/photos/${objects.photoFilename}`)],
    ['evidence of a transfer', await shown(evidence, admin)],
  ]);
}

/** Ids of mails that were sent. */
export const SENT = 'select id from notifications.mails where sent_at is not null';

/**
 * The inbox of a restored installation is a new one: whatever is in it was sent after the restore.
 * @param sent before the backup
 */
export async function sentTwice({ inboxUrl }: Running, sent: ReadonlySet<string>): Promise<string[]> {
  const mails = (await (await fetch(new URL('/email', inboxUrl))).json()) as {
    messageId?: string;
    subject: string;
  }[];
  return mails
    .filter(({ messageId = '' }) => sent.has(messageId.replace(/^<|>$/g, '').split('@')[0]!))
    .map(({ subject }) => `a mail that was sent was sent again: ${subject}`);
}

/** Numbers and their orders. */
export const RECEIPTS = `select year || '-' || number, order_id from orders.receipts`;

/** Receipt numbers of the lost installation that the restored one gave to other orders. @param lines of RECEIPTS */
export function givenTwice(lost: readonly string[], restored: readonly string[]): string[] {
  const holders = new Map(lost.map((line) => line.split('|') as [string, string]));
  return restored
    .map((line) => line.split('|') as [string, string])
    .filter(([number, orderId]) => (holders.get(number) ?? orderId) !== orderId)
    .map(([number]) => `receipt ${number} is in two people's hands`);
}

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
