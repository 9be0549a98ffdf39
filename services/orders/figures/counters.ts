import { type Order, shownPhotos, standingOf } from '../order/order.ts';

/** Rows per counter, so that concurrent changes rarely contend for a lock. */
const SHARDS = 4;

const shardOf = ({ id }: Order): number => parseInt(id.slice(-6), 16) % SHARDS;

/** An order's contribution to the counters, named like their columns. */
export const counted = (order: Order) => ({
  day: order.day,
  currency: order.currency,
  standing: standingOf(order),
  status: order.progress.status,
  is_photographed: shownPhotos(order).length > 0,
  shard: shardOf(order),
  trees: order.trees,
  amount_minor: order.amountMinor,
  refunded_minor: order.refundedMinor,
  lost_minor: order.lostMinor,
});

const countedPackages = (order: Order, packages: 1 | -1) =>
  order.growth.map(({ day, currency, amountMinor, refundedMinor, lostMinor }) => ({
    day,
    currency,
    shard: shardOf(order),
    packages,
    amount_minor: amountMinor,
    refunded_minor: refundedMinor,
    lost_minor: lostMinor,
  }));

/** Contributions before (negative) and after a change of an order. */
export const recounted = (before: Order | undefined, after: Order) => ({
  orders: [...(before ? [{ ...counted(before), orders: -1 }] : []), { ...counted(after), orders: 1 }],
  packages:
    before?.growth === after.growth
      ? []
      : [...(before ? countedPackages(before, -1) : []), ...countedPackages(after, 1)],
});

/**
 * CTEs that update the counters from what `written` wrote. Rows are updated in one order everywhere, which
 * prevents deadlocks.
 * @param rows the parameter that holds the result of `recounted`, as JSON
 */
export const countingSteps = (rows: string): string => `
  counted as (
    select day, currency, standing, status, is_photographed, shard, orders, trees, amount_minor, refunded_minor, lost_minor
    from written, jsonb_to_recordset(${rows}::jsonb -> 'orders') as c (
      day text, currency text, standing text, status text, is_photographed boolean, shard integer, orders integer,
      trees integer, amount_minor bigint, refunded_minor bigint, lost_minor bigint)),
  totals as (
    insert into order_totals as t (standing, status, is_photographed, shard, orders, trees)
    select standing, status, is_photographed, shard, sum(orders), sum(orders * trees) from counted
    group by standing, status, is_photographed, shard having sum(orders) <> 0 or sum(orders * trees) <> 0
    order by standing, status, is_photographed, shard
    on conflict (standing, status, is_photographed, shard) do update
    set orders = t.orders + excluded.orders, trees = t.trees + excluded.trees),
  days as (
    insert into order_days as d (day, currency, standing, shard, orders, trees, amount_minor, refunded_minor, lost_minor)
    select day, currency, standing, shard, sum(orders), sum(orders * trees), sum(orders * amount_minor),
      sum(orders * refunded_minor), sum(orders * lost_minor) from counted
    group by day, currency, standing, shard
    having sum(orders) <> 0 or sum(orders * trees) <> 0 or sum(orders * amount_minor) <> 0
      or sum(orders * refunded_minor) <> 0 or sum(orders * lost_minor) <> 0
    order by day, currency, standing, shard
    on conflict (day, currency, standing, shard) do update
    set orders = d.orders + excluded.orders, trees = d.trees + excluded.trees,
      amount_minor = d.amount_minor + excluded.amount_minor, refunded_minor = d.refunded_minor + excluded.refunded_minor,
      lost_minor = d.lost_minor + excluded.lost_minor),
  packages as (
    insert into package_days as d (day, currency, shard, packages, amount_minor, refunded_minor, lost_minor)
    select day, currency, shard, sum(packages), sum(packages * amount_minor), sum(packages * refunded_minor),
      sum(packages * lost_minor)
    from written, jsonb_to_recordset(${rows}::jsonb -> 'packages') as c (
      day text, currency text, shard integer, packages integer, amount_minor bigint, refunded_minor bigint,
      lost_minor bigint)
    group by day, currency, shard
    having sum(packages) <> 0 or sum(packages * amount_minor) <> 0 or sum(packages * refunded_minor) <> 0
      or sum(packages * lost_minor) <> 0
    order by day, currency, shard
    on conflict (day, currency, shard) do update
    set packages = d.packages + excluded.packages, amount_minor = d.amount_minor + excluded.amount_minor,
      refunded_minor = d.refunded_minor + excluded.refunded_minor, lost_minor = d.lost_minor + excluded.lost_minor)`;
