import type { AuditAction } from '@arboleda/contracts/audit.ts';
import type { AuditActor, AuditEntry, AuditFields } from '@arboleda/contracts/audit-entry.ts';
import { minorPerMajor } from '@arboleda/contracts/money.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { createHash } from 'node:crypto';
import { currentContext } from '../context.ts';

/*
 * The audit log: a row for everything that admins change, and for every bulk read of personal data, in the
 * transaction of the change. A row's hash covers the hash of the row before it, so a changed, deleted, inserted or
 * moved row is found: see verify.ts and docs/decisions/25. Its tables are in adapters/postgres/service-migrations.
 */

/** An admin's call, or an operator's command. */
interface AuditedCall {
  by: AuditActor;
  action: AuditAction;
}

const calls = new AsyncLocalStorage<AuditedCall | undefined>();

/** Changes that `run` makes are audited under this call. Other changes, by customers or events, are not audited. */
export const withAudit = <T>(call: AuditedCall | undefined, run: () => T): T => calls.run(call, run);

/** A change to record. Author and action default to those of the call. */
export type Audited = Omit<AuditEntry, 'at' | 'by' | 'action' | 'correlationId' | 'before' | 'after'> & {
  at?: string;
  by?: AuditActor;
  action?: AuditAction;
  before?: AuditFields;
  after?: AuditFields;
};

/** Undefined outside of an audited call. */
export function completeEntry(audited: Audited, now: Date): AuditEntry | undefined {
  const call = calls.getStore();
  const by = audited.by ?? call?.by;
  const action = audited.action ?? call?.action;
  if (!by || !action) return undefined;
  const { object, orderId, before, after, withheld } = audited;
  return {
    at: audited.at ?? now.toISOString(),
    by,
    action,
    ...(object && { object }),
    ...(orderId !== undefined && { orderId }),
    ...(before && { before: plain(before) }),
    ...(after && { after: plain(after) }),
    ...(withheld && withheld.length > 0 && { withheld }),
    correlationId: currentContext().correlationId,
  };
}

/** Rows as they are stored and hashed. */
export const entryTexts = (entries: readonly Audited[], now: Date): string[] =>
  entries.flatMap((one) => {
    const entry = completeEntry(one, now);
    return entry ? [JSON.stringify(entry)] : [];
  });

type Plain = Record<string, Exclude<AuditFields[string], undefined>>;
const plain = (fields: AuditFields): Plain =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Plain;

/**
 * The fields that differ. An absent field is null on one side.
 * @param withheld fields of which only the name is stored
 */
export function changedFields(
  before: AuditFields,
  after: AuditFields,
  withheld: readonly string[] = [],
): Pick<Audited, 'before' | 'after' | 'withheld'> {
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  const shown = changed.filter((name) => !withheld.includes(name));
  const of = (fields: AuditFields) => Object.fromEntries(shown.map((name) => [name, fields[name] ?? null]));
  return {
    ...(shown.length > 0 && { before: of(before), after: of(after) }),
    withheld: changed.filter((name) => withheld.includes(name)),
  };
}

/** "82300 COP": an amount says its currency wherever it is read. */
export const amountText = (amountMinor: number, currency: string): string =>
  `${amountMinor / minorPerMajor(currency)} ${currency}`;

/** Parameters of a list that are words about people, or only page through it. */
const WORDS: readonly string[] = ['q', 'who', 'region'];
const PAGING: readonly string[] = ['cursor', 'limit'];

/** A bulk read with its filter, and the key under which it is audited once an hour. */
export function auditedRead(query: Record<string, unknown> = {}): { read: Audited; key: string } {
  const filter = Object.entries(query).filter(
    ([name, value]) => value !== undefined && !PAGING.includes(name),
  );
  const shown = filter.filter(([name]) => !WORDS.includes(name));
  const withheld = filter.flatMap(([name]) => (WORDS.includes(name) ? [name] : []));
  const { by, action } = calls.getStore()!;
  return {
    read: {
      ...(shown.length > 0 && {
        after: Object.fromEntries(shown.map(([name, value]) => [name, String(value)])),
      }),
      withheld,
    },
    key: createHash('sha256')
      .update(JSON.stringify([by.id, action, filter]))
      .digest('base64url'),
  };
}

/** The hash of a row, as the database makes it. @param previousHash the service's name for the first row */
export const hashOfRow = (previousHash: string, seq: bigint | number, entry: string): string =>
  createHash('sha256').update(`${previousHash} ${seq} ${entry}`).digest('hex');
