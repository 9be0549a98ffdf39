import type { Sql } from '@arboleda/chassis/ports/sql.ts';
import type { Order } from '../order/order.ts';
import type { OrderTable } from '../order/store.ts';
import { type ListQuery, listQuery, searched } from './list-query.ts';
import { type Counted, COUNTED_TO, countsOf, type Filter } from './listing.ts';

export interface OrderPages {
  /** At most `limit` paid orders, after `after`. */
  page(query: ListQuery): Promise<Order[]>;
  /** Counts by status, whatever status the filter has; what words or filters find is counted up to a bound. */
  counts(filter: Filter): Promise<Counted>;
}

/** @param countedTo bound for counts of what words or filters find */
export function openPages(sql: Sql, table: OrderTable, countedTo = COUNTED_TO): OrderPages {
  const countBy = async (from: string, values: readonly unknown[]): Promise<Record<string, number>> => {
    const text = `select status, count(*) as orders ${from} group by status`;
    return byStatus((await sql.query<{ status: string; orders: string }>(text, values)).rows);
  };
  return {
    async page(query) {
      const { where, order, end, values, search } = listQuery(query);
      if (!search) return table.select(`where ${where} ${end}`, values);
      return searched(
        query.limit,
        (window) => table.select(`where id in (select id ${search(window)}) ${order}`, values),
        ({ length }) => length,
      );
    },

    async counts({ status: _all, ...filter }) {
      const limit = countedTo + 1;
      const { where, values, isNarrowed, search } = listQuery({ filter, sort: 'newest', limit });
      if (search) {
        const counted = await searched(
          limit,
          (window) => countBy(`from (select status ${search(window)}) as counted`, values),
          (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0),
        );
        return countsOf(counted, countedTo);
      }
      if (isNarrowed) {
        const some = `from (select status from orders where ${where} limit ${limit}) as counted`;
        return countsOf(await countBy(some, values), countedTo);
      }
      if (values.length > 0) return countsOf(await countBy(`from orders where ${where}`, values));
      const { rows } = await sql.query<{ status: string; orders: string }>(
        `select status, sum(orders) as orders from order_totals where standing in ('paid', 'withdrawn') group by status`,
      );
      return countsOf(byStatus(rows));
    },
  };
}

const byStatus = (rows: readonly { status: string; orders: string }[]): Record<string, number> =>
  Object.fromEntries(rows.map(({ status, orders }) => [status, Number(orders)]));
