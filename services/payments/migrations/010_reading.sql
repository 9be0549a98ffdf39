-- Taken back when a payment goes that Stripe would make no intent of.
create index stripe_events_payment on stripe_events (payment_id) where payment_id is not null;
create index package_purchases_unsettled on package_purchases (updated_at) where status in ('open', 'processing');

-- Payments of one status, newest first; transfers under the names that all_payments gives their statuses.
create index payments_by_status on payments (status, created_at, id);
create index transfers_by_payment_status on transfers (
  (case status when 'pending' then 'submitted' when 'approved' then 'succeeded' else status end), created_at, id
);

-- By parts of words, where the server has the means; elsewhere a search reads every payment.
do $$
declare
  home text;
begin
  create extension if not exists pg_trgm;
  select quote_ident(nspname) into home
  from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
  execute format($index$
    create index payments_words on payments using gin ((
      (customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
      || E'\n' || coalesce(intent_id, '')
    ) %s.gin_trgm_ops)
  $index$, home);
  execute format($index$
    create index transfers_words on transfers using gin ((
      (customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
      || E'\n' || coalesce(reference, '')
    ) %s.gin_trgm_ops)
  $index$, home);
exception when insufficient_privilege or feature_not_supported or undefined_file then
  raise notice 'searching payments is slow without the extension pg_trgm: %', sqlerrm;
end
$$;

-- Of a transfer, too, what came in counts where an admin wrote it down: no more than that can go back.
create or replace view all_payments as
select
  id, order_id, order_token, 'stripe'::text as payment_method, status, package_type, trees, amount_minor, currency,
  customer, language, locale, quote, intent_id as transaction_id, state -> 'card' as card,
  state -> 'failure' ->> 'reason' as failure_reason, state -> 'received' as received,
  (state ->> 'paidAt')::timestamptz as paid_at, charge, created_at,
  (customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
    || E'\n' || coalesce(intent_id, '') as words
from payments
union all
select
  id, order_id, order_token, 'manual_bancolombia',
  case status when 'pending' then 'submitted' when 'approved' then 'succeeded' else status end,
  package_type, trees, amount_minor, currency, customer, language, locale, quote, reference, null::jsonb,
  state ->> 'reason',
  case when state -> 'approval' -> 'amountReceivedMinor' is not null
    then jsonb_build_object('amountMinor', state -> 'approval' -> 'amountReceivedMinor', 'currency', currency) end,
  case status when 'approved' then decided_at end, null::jsonb, created_at,
  (customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
    || E'\n' || coalesce(reference, '')
from transfers;
