create table refunds (
  id text primary key,
  -- A payment (by card or by transfer), or the purchase of a photo package.
  subject text not null check (subject in ('payment', 'purchase')),
  subject_id text not null,
  order_id text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  reason text not null,
  method text not null,
  made_by jsonb,
  status text not null,
  stripe_id text unique,
  failure_reason text,
  -- Of the admin's call: repeated with it, it finds the same refund.
  idempotency_key text,
  request_hash text,
  created_at timestamptz not null,
  settled_at timestamptz,
  unique (subject_id, idempotency_key)
);

create index refunds_subject on refunds (subject_id);
-- Those that Stripe is not known to have yet.
create index refunds_creating on refunds (created_at) where status = 'creating';
