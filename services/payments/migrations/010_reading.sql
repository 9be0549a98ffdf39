do $$
begin
  create extension if not exists pg_trgm;
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
