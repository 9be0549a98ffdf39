import {
  openTable,
  type Records,
  type RecordTable,
  type TableDefinition,
} from '@arboleda/chassis/records.ts';
import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Order } from './order.ts';
import { columns, fromRow, type OrderRow, toRow } from './table.ts';

export const MIGRATIONS = new URL('../migrations/', import.meta.url);

export type OrderTable = RecordTable<Order>;

/** @param alongside what other tables follow an order in the same statement */
export const openOrderTable = (
  sql: Sql,
  alongside: TableDefinition<Order, OrderRow>['alongside'],
): OrderTable =>
  openTable<Order, OrderRow>(sql, {
    table: 'orders',
    columns,
    idOf: ({ id }) => id,
    toRow,
    fromRow,
    keepsTrace: true,
    ...(alongside && { alongside }),
  });

export interface Orders extends Records<Order> {
  byToken(token: string): Promise<Order | undefined>;
  /** Newest first, at most `limit`, after `after`; includes unpaid orders. @param emailKey in lower case */
  ofCustomer(
    emailKey: string,
    page: { after?: readonly (string | number)[] | undefined; limit: number },
  ): Promise<Order[]>;
  /**
   * At most `limit` orders changed since then, in order of change. @param after instant and id of the last
   * one read
   */
  changedSince(from: string, after: readonly [string, string] | undefined, limit: number): Promise<Order[]>;
}

/** Writes what is decided as it is: see reactions.ts for what follows from it. */
export function openOrders(table: OrderTable): Orders {
  return {
    get: table.get,
    change: table.change,

    async byToken(token) {
      return (await table.select('where token = $1', [token]))[0];
    },

    ofCustomer(emailKey, { after, limit }) {
      const behind = after ? 'and (created_at, id) < ($3, $4)' : '';
      return table.select(`where email_key = $1 ${behind} order by created_at desc, id desc limit $2`, [
        emailKey,
        limit,
        ...(after ?? []),
      ]);
    },

    changedSince(from, after, limit) {
      const behind = after ? 'and (updated_at, id) > ($3, $4)' : '';
      return table.select(`where updated_at >= $1 ${behind} order by updated_at, id limit $2`, [
        from,
        limit,
        ...(after ?? []),
      ]);
    },
  };
}
