-- concurrently
-- Taken back when a payment goes that Stripe would make no intent of.
create index concurrently if not exists stripe_events_payment on stripe_events (payment_id) where payment_id is not null;
create index concurrently if not exists package_purchases_unsettled on package_purchases (updated_at)
  where status in ('open', 'processing');

-- Payments of one status, newest first; transfers under the names that all_payments gives their statuses.
create index concurrently if not exists payments_by_status on payments (status, created_at, id);
create index concurrently if not exists transfers_by_payment_status on transfers (
  (case status when 'pending' then 'submitted' when 'approved' then 'succeeded' else status end), created_at, id
);

-- By parts of words, where the server has the means; elsewhere a search reads every payment.
-- with extension pg_trgm
create index concurrently if not exists payments_words on payments using gin ((
  search_text((customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
    || E'\n' || coalesce(intent_id, ''))
) gin_trgm_ops);
-- with extension pg_trgm
create index concurrently if not exists transfers_words on transfers using gin ((
  search_text((customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
    || E'\n' || coalesce(reference, ''))
) gin_trgm_ops);
