create table disputes (
  -- Stripe's own.
  id text primary key,
  subject text not null check (subject in ('payment', 'purchase')),
  subject_id text not null,
  order_id text not null,
  amount_minor bigint not null,
  currency text not null,
  reason text not null,
  status text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create index disputes_subject on disputes (subject_id);
