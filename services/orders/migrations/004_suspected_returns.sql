-- Debits on the bank's statement that may have taken the order's money back: see decisions/returns.ts.
alter table orders add column suspected_returns jsonb;
