-- Counts the times a purchase was stopped, or became active again.
alter table package_purchases add column revision integer not null default 0;
-- What was paid in the place of what was asked, of a mismatched one.
alter table package_purchases add column received jsonb;
-- Who said that the money of a failed refund stays here, why and when.
alter table refunds add column dismissed jsonb;
-- The list of payments shows what became of all money of an order.
create index refunds_order on refunds (order_id);
create index disputes_order on disputes (order_id);
-- Money that still has to go back is looked for among these.
create index refunds_failed on refunds (subject_id) where status = 'failed';
