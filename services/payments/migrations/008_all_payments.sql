-- Payments of every kind, for reading.
create view all_payments as
select
  id, order_id, order_token, 'stripe'::text as payment_method, status, package_type, trees, amount_minor, currency,
  customer, language, locale, quote, intent_id as transaction_id, state -> 'card' as card,
  state -> 'failure' ->> 'reason' as failure_reason, state -> 'received' as received,
  (state ->> 'paidAt')::timestamptz as paid_at, charge, created_at
from payments;
