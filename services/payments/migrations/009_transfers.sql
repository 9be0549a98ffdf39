-- Bank transfers: see transfers/transfer.ts. Not rows of payments: nothing of an intent, of Stripe's events or of the
-- reconciler holds for them, and people decide them. Ids are of the same kind (ids.ts), so orders do not tell them apart.
create table transfers (
  id text primary key,
  order_id text not null unique,
  order_token text not null unique,
  idempotency_key text unique,
  request_hash text not null,
  -- Of who sent which files for what: the same again is the same transfer. Null once the person is forgotten.
  fingerprint text,
  package_type text not null,
  trees integer not null,
  amount_minor bigint not null,
  currency text not null,
  quote jsonb not null,
  customer jsonb not null,
  -- How new the copy of the customer is: an older event about them changes nothing.
  customer_at timestamptz,
  language text not null,
  locale text,
  reference text,
  -- The reference as it is compared with others.
  reference_key text,
  state jsonb not null,
  status text not null generated always as (state ->> 'status') stored,
  revision integer not null default 0,
  created_at timestamptz not null,
  decided_at timestamptz,
  evidence_removed_at timestamptz
);

create unique index transfers_pending_once on transfers (fingerprint) where status = 'pending';
create index transfers_by_fingerprint on transfers (fingerprint);
create index transfers_by_status on transfers (status, created_at, id);
create index transfers_by_age on transfers (created_at, id);
create index transfers_by_reference on transfers (reference_key, created_at);
create index transfers_by_email on transfers ((customer ->> 'email'));
create index transfers_with_evidence on transfers (decided_at)
  where decided_at is not null and evidence_removed_at is null;

-- What is known of each file. The hash stays when the file goes: it tells when the same one is sent again.
create table transfer_evidence (
  transfer_id text not null references transfers (id),
  position integer not null,
  filename text not null unique,
  original_name text not null,
  content_type text not null,
  size_bytes integer not null,
  sha256 text not null,
  primary key (transfer_id, position)
);

create index transfer_evidence_by_hash on transfer_evidence (sha256);

-- Objects that are to go. A file is named here before it is kept, and taken out by the transaction that makes it part of
-- a transfer: what a crash leaves in between goes by itself.
create table evidence_removals (
  object_key text primary key,
  due_at timestamptz not null
);

create index evidence_removals_due on evidence_removals (due_at);

-- References that were suggested, so that none is suggested twice.
create table transfer_references (
  reference text primary key,
  suggested_at timestamptz not null
);

create index transfer_references_by_age on transfer_references (suggested_at);

create or replace view all_payments as
select
  id, order_id, order_token, 'stripe'::text as payment_method, status, package_type, trees, amount_minor, currency,
  customer, language, locale, quote, intent_id as transaction_id, state -> 'card' as card,
  state -> 'failure' ->> 'reason' as failure_reason, state -> 'received' as received,
  (state ->> 'paidAt')::timestamptz as paid_at, charge, created_at
from payments
union all
select
  id, order_id, order_token, 'manual_bancolombia',
  case status when 'pending' then 'submitted' when 'approved' then 'succeeded' else status end,
  package_type, trees, amount_minor, currency, customer, language, locale, quote, reference, null::jsonb,
  state ->> 'reason', null::jsonb, case status when 'approved' then decided_at end, null::jsonb, created_at
from transfers;
