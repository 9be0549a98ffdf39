-- concurrently
-- Accounts whose owners asked to be forgotten, and under which address: a change of address that was made before and is
-- heard later takes nothing there.
create table if not exists erased_accounts (
  id text primary key,
  orders_too boolean not null,
  at timestamptz not null
);

-- What the regular clearing looks for, and nothing that it has cleared already (retention/).
create index concurrently if not exists stripe_events_by_age on stripe_events (received_at);
create index concurrently if not exists payments_abandoned on payments (created_at, id)
  where status in ('creating', 'open', 'canceled') and customer ->> 'email' <> 'erased@arboleda.invalid';
create index concurrently if not exists payments_repeatable on payments (created_at)
  where request_hash <> '' or idempotency_key is not null;
create index concurrently if not exists transfers_repeatable on transfers (created_at)
  where request_hash <> '' or idempotency_key is not null;
create index concurrently if not exists refunds_repeatable on refunds (created_at) where idempotency_key is not null;
