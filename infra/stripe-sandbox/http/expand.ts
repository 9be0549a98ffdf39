import type { TableName } from '../objects.ts';
import type { Transaction } from '../storage/store.ts';
import { invalidRequest } from './errors.ts';

const TABLES: Record<string, TableName> = {
  pi: 'payment_intents',
  ch: 'charges',
  txn: 'balance_transactions',
};

/**
 * Replaces ids by their objects: `latest_charge`, `data.latest_charge`, `latest_charge.balance_transaction`.
 * @throws StripeProblem 400 for a field that is not a reference
 */
export function expand(answer: unknown, paths: string[], tx: Pick<Transaction, 'get'>): unknown {
  return paths.reduce((node, path) => along(node, path.split('.'), path, tx), answer);
}

function along(node: unknown, keys: string[], path: string, tx: Pick<Transaction, 'get'>): unknown {
  const [key, ...rest] = keys;
  if (key === undefined || node === null) return node;
  if (Array.isArray(node)) return node.map((item) => along(item, keys, path, tx));
  if (typeof node !== 'object' || !Object.hasOwn(node, key)) {
    throw invalidRequest(
      `This property cannot be expanded (${path}). You may want to try expanding 'data.${path}' instead.`,
      { param: 'expand' },
    );
  }
  const value = (node as Record<string, unknown>)[key];
  const table = typeof value === 'string' ? TABLES[value.split('_', 1)[0] ?? ''] : undefined;
  const object = table ? (tx.get(table, value as string) ?? value) : value;
  return { ...node, [key]: along(object, rest, path, tx) };
}
