-- Recalculates all counters: psql "$DATABASE_URL" -f services/orders/operator/recount.sql
begin;
set local search_path to orders;
-- Blocks writes to orders, not reads.
lock table orders in share row exclusive mode;
delete from order_totals;
delete from order_days;
delete from package_days;
insert into order_totals (standing, status, is_photographed, shard, orders, trees)
select standing, status, exists (
    select from jsonb_array_elements(photos) as photo where not coalesce((photo -> 'shown' ->> 'hidden')::boolean, false)
  ), 0, count(*), sum(trees) from orders group by 1, 2, 3;
insert into order_days (day, currency, standing, shard, orders, trees, amount_minor, refunded_minor, lost_minor)
select day, currency, standing, 0, count(*), sum(trees), sum(amount_minor), sum(refunded_minor), sum(lost_minor)
from orders group by day, currency, standing;
insert into package_days (day, currency, shard, packages, amount_minor, refunded_minor, lost_minor)
select p.day, p.currency, 0, count(*), sum(p."amountMinor"), sum(p."refundedMinor"), sum(p."lostMinor")
from orders, jsonb_to_recordset(growth) as p (
  day text, currency text, "amountMinor" bigint, "refundedMinor" bigint, "lostMinor" bigint)
group by p.day, p.currency;
commit;
