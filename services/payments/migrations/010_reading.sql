do $$
begin
  create extension if not exists pg_trgm;
exception when insufficient_privilege or feature_not_supported or undefined_file then
  raise notice 'searching payments is slow without the extension pg_trgm: %', sqlerrm;
end
$$;

-- Lower case without accents, apostrophes and dashes of one kind, then the same with letters and digits alone: as
-- `folded` and `bare` of contracts/search.ts.
create or replace function search_text(value text) returns text language sql immutable parallel safe as $$
  select plain || E'\n' || regexp_replace(plain, '[^[:alnum:]\n]', '', 'g')
  from (
    select replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')),
      'đðøłħıŋ’‘ʼ`´‐‑‒–—−', 'ddolhin''''''''''------'
    ), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') as plain
  ) folded
$$;

-- Of a transfer, too, what came in counts where an admin wrote it down: no more than that can go back.
create or replace view all_payments as
select
  id, order_id, order_token, 'stripe'::text as payment_method, status, package_type, trees, amount_minor, currency,
  customer, language, locale, quote, intent_id as transaction_id, state -> 'card' as card,
  state -> 'failure' ->> 'reason' as failure_reason, state -> 'received' as received,
  (state ->> 'paidAt')::timestamptz as paid_at, charge, created_at,
  search_text((customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
    || E'\n' || coalesce(intent_id, '')) as words
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
  search_text((customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
    || E'\n' || coalesce(reference, ''))
from transfers;
