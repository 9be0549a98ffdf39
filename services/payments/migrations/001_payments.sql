create table payments (
  id text primary key,
  order_id text not null unique,
  order_token text not null unique,
  -- Of the buyer's browser: a call that is repeated with it finds the same payment.
  idempotency_key text unique,
  request_hash text not null,
  package_type text not null,
  trees integer not null,
  amount_minor bigint not null,
  currency text not null,
  quote jsonb not null,
  customer jsonb not null,
  language text not null,
  locale text,
  state jsonb not null,
  status text not null generated always as (state ->> 'status') stored,
  intent_id text unique generated always as (state ->> 'intentId') stored,
  revision integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When Stripe is to be asked next; null when there is nothing to ask.
  reconcile_at timestamptz
);

create index payments_due on payments (reconcile_at) where reconcile_at is not null;

-- Every webhook that was taken, by Stripe's own id of the event: the second one changes nothing.
create table stripe_events (
  id text primary key,
  type text not null,
  payment_id text references payments (id),
  received_at timestamptz not null
);
