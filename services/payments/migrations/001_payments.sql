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
  reconcile_at timestamptz,
  -- What Stripe's charge says besides the payment: its fee, once settled, and its receipt.
  charge jsonb,
  -- When Stripe is to be asked about it next; null when there is nothing to ask.
  charge_due_at timestamptz,
  -- How new the copy of the customer is: an older event about them changes nothing.
  customer_at timestamptz
);

create index payments_due on payments (reconcile_at) where reconcile_at is not null;
create index payments_charge_due on payments (charge_due_at) where charge_due_at is not null;
create index payments_created_at on payments (created_at);
create index payments_by_status on payments (status, created_at, id);
create index payments_customer on payments ((customer ->> 'email'));
-- What the regular clearing looks for, and nothing that it has cleared already (retention/).
create index payments_abandoned on payments (created_at, id)
  where status in ('open', 'canceled') and customer ->> 'email' <> 'erased@arboleda.invalid';
create index payments_repeatable on payments (created_at) where request_hash <> '' or idempotency_key is not null;

-- Every webhook that was taken, by Stripe's own id of the event: the second one changes nothing.
create table stripe_events (
  id text primary key,
  type text not null,
  payment_id text references payments (id),
  received_at timestamptz not null
);

create index stripe_events_by_age on stripe_events (received_at);
-- Taken back when a payment goes that Stripe would make no intent of.
create index stripe_events_payment on stripe_events (payment_id) where payment_id is not null;

create table refunds (
  id text primary key,
  -- A payment (by card or by transfer), or the purchase of a photo package.
  subject text not null check (subject in ('payment', 'purchase')),
  subject_id text not null,
  order_id text not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  reason text not null,
  method text not null check (method in ('card', 'hand')),
  made_by jsonb,
  status text not null,
  stripe_id text unique,
  failure_reason text,
  -- Of the admin's call: repeated with it, it finds the same refund.
  idempotency_key text,
  request_hash text,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- Who said that the money of a failed refund stays here, why and when.
  dismissed jsonb,
  unique (subject_id, idempotency_key)
);

create index refunds_subject on refunds (subject_id);
-- Those that Stripe is not known to have yet.
create index refunds_creating on refunds (created_at) where status = 'creating';
-- Money that still has to go back is looked for among these.
create index refunds_failed on refunds (subject_id) where status = 'failed';
-- The list of payments shows what became of all money of an order.
create index refunds_order on refunds (order_id);
create index refunds_repeatable on refunds (created_at) where idempotency_key is not null;

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
create index disputes_order on disputes (order_id);

create table package_purchases (
  id text primary key,
  order_id text not null,
  photo_package_type text not null,
  price_id text not null,
  -- What the price was when it was asked for: what is paid is compared with it.
  amount_minor bigint not null,
  currency text not null,
  customer jsonb not null,
  language text not null,
  status text not null,
  session_id text unique,
  checkout_url text,
  -- Stripe's payment intent.
  transaction_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  purchased_at timestamptz,
  -- Counts the times a purchase was stopped, or became active again.
  revision integer not null default 0,
  -- What was paid in the place of what was asked, of a mismatched one.
  received jsonb
);

-- One package of an order is on sale or active at a time.
create unique index package_purchases_current on package_purchases (order_id)
  where status in ('creating', 'open', 'processing', 'active');
create index package_purchases_order on package_purchases (order_id);
create index package_purchases_transaction on package_purchases (transaction_id);
create index package_purchases_unsettled on package_purchases (updated_at) where status in ('open', 'processing');

-- Up to when Stripe's lists were compared with ours.
create table reconciled_lists (
  name text primary key,
  until timestamptz not null
);

-- Who compares now: one at a time over all replicas, as long as it renews its lease.
create table reconciler_lease (
  "only" boolean primary key default true check ("only"),
  holder text,
  until timestamptz not null
);
insert into reconciler_lease (holder, until) values (null, '-infinity');

-- Comparisons that an operator asked for, and what they found.
create table reconciliations (
  id text primary key,
  since timestamptz not null,
  asked_at timestamptz not null,
  begun_at timestamptz,
  ended_at timestamptz,
  report jsonb
);

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
  -- To whose account of ours it was made.
  bank text not null,
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
  evidence_removed_at timestamptz,
  -- Strangers can send pictures: what waits for a decision is bounded, in all and by network.
  network_hash text,
  evidence_bytes integer not null default 0
);

create unique index transfers_pending_once on transfers (fingerprint) where status = 'pending';
create index transfers_by_fingerprint on transfers (fingerprint);
create index transfers_by_status on transfers (status, created_at, id);
-- Under the names that all_payments gives their statuses.
create index transfers_by_payment_status on transfers (
  (case status when 'pending' then 'submitted' when 'approved' then 'succeeded' else status end), created_at, id
);
create index transfers_by_age on transfers (created_at, id);
create index transfers_by_reference on transfers (reference_key, created_at);
create index transfers_by_email on transfers ((customer ->> 'email'));
create index transfers_with_evidence on transfers (decided_at)
  where decided_at is not null and evidence_removed_at is null;
create index transfers_undecided on transfers (created_at) where decided_at is null;
create index transfers_repeatable on transfers (created_at) where request_hash <> '' or idempotency_key is not null;

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

-- Accounts whose owners asked to be forgotten, and under which address: a change of address that was made before and is
-- heard later takes nothing there.
create table erased_accounts (
  id text primary key,
  orders_too boolean not null,
  at timestamptz not null
);

-- Lower case without accents, apostrophes and dashes of one kind, then the same with letters and digits alone: as
-- `folded` and `bare` of contracts/search.ts.
create function search_text(value text) returns text language sql immutable parallel safe as $$
  select plain || E'\n' || regexp_replace(plain, '[^[:alnum:]\n]', '', 'g')
  from (
    select replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')),
      'đðøłħıŋ’‘ʼ`´‐‑‒–—−', 'ddolhin''''''''''------'
    ), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') as plain
  ) folded
$$;

-- Payments of every kind, for reading.
-- Of a transfer, too, what came in counts where an admin wrote it down: no more than that can go back.
create view all_payments as
select
  id, order_id, order_token, 'card'::text as payment_kind, null::text as bank, status, package_type, trees, amount_minor, currency,
  customer, language, locale, quote, intent_id as transaction_id, state -> 'card' as card,
  state -> 'failure' ->> 'reason' as failure_reason, state -> 'received' as received,
  (state ->> 'paidAt')::timestamptz as paid_at, charge, created_at,
  search_text((customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
    || E'\n' || coalesce(intent_id, '')) as words
from payments
union all
select
  id, order_id, order_token, 'transfer', bank,
  case status when 'pending' then 'submitted' when 'approved' then 'succeeded' else status end,
  package_type, trees, amount_minor, currency, customer, language, locale, quote, reference, null::jsonb,
  state ->> 'reason',
  case when state -> 'approval' -> 'amountReceivedMinor' is not null
    then jsonb_build_object('amountMinor', state -> 'approval' -> 'amountReceivedMinor', 'currency', currency) end,
  case status when 'approved' then decided_at end, null::jsonb, created_at,
  search_text((customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
    || E'\n' || coalesce(reference, ''))
from transfers;

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
      search_text((customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
        || E'\n' || coalesce(intent_id, ''))
    ) %1$s.gin_trgm_ops);
    create index transfers_words on transfers using gin ((
      search_text((customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
        || E'\n' || coalesce(reference, ''))
    ) %1$s.gin_trgm_ops)
  $index$, home);
exception when insufficient_privilege or feature_not_supported or undefined_file then
  raise notice 'searching payments is slow without the extension pg_trgm: %', sqlerrm;
end
$$;
