create table payments (
  id text primary key,
  order_id text not null unique,
  order_token text not null unique,
  -- Sent by the browser; a repeated call finds the same payment.
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
  -- What the buyer wrote, of an order that is a gift.
  gift jsonb,
  state jsonb not null,
  status text not null generated always as (state ->> 'status') stored,
  intent_id text unique generated always as (state ->> 'intentId') stored,
  revision integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Next check at Stripe; null when none is due.
  reconcile_at timestamptz,
  -- Facts from Stripe's charge: the fee, once settled, and the receipt.
  charge jsonb,
  -- Next lookup of the charge; null when none is due.
  charge_due_at timestamptz,
  -- Time of the copied customer data; older events are ignored.
  customer_at timestamptz,
  -- The trace in which the buyer began to pay.
  traceparent text
);

create index payments_due on payments (reconcile_at) where reconcile_at is not null;
create index payments_charge_due on payments (charge_due_at) where charge_due_at is not null;
create index payments_created_at on payments (created_at);
create index payments_by_status on payments (status, created_at, id);
create index payments_customer on payments ((customer ->> 'email'));
create index payments_gifts_to on payments ((gift ->> 'recipientEmail')) where gift is not null;
-- Serves the retention job; excludes rows it has cleared already.
create index payments_abandoned on payments (created_at, id)
  where status in ('open', 'canceled') and customer ->> 'email' <> 'erased@arboleda.invalid';
create index payments_repeatable on payments (created_at) where request_hash <> '' or idempotency_key is not null;

-- Processed webhooks by Stripe's event id, for idempotency.
create table stripe_events (
  id text primary key,
  type text not null,
  payment_id text references payments (id),
  received_at timestamptz not null
);

create index stripe_events_by_age on stripe_events (received_at);
-- Deleted together with a payment for which Stripe refuses to create an intent.
create index stripe_events_payment on stripe_events (payment_id) where payment_id is not null;

create table refunds (
  id text primary key,
  -- A payment (card or transfer), or the purchase of a photo package.
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
  -- Sent by the admin's browser; a repeated call finds the same refund.
  idempotency_key text,
  request_hash text,
  created_at timestamptz not null,
  settled_at timestamptz,
  -- Set when an admin keeps the money of a failed refund: who, why and when.
  dismissed jsonb,
  unique (subject_id, idempotency_key)
);

create index refunds_subject on refunds (subject_id);
-- Refunds that may not have reached Stripe yet.
create index refunds_creating on refunds (created_at) where status = 'creating';
-- Serves the list of refunds that still have to be paid out.
create index refunds_failed on refunds (subject_id) where status = 'failed';
-- Serves the list of refunds that somebody began to send by hand.
create index refunds_by_hand on refunds (created_at) where status = 'pending' and method = 'hand';
-- Serves the admin's list of payments, which shows all refunds of an order.
create index refunds_order on refunds (order_id);
create index refunds_repeatable on refunds (created_at) where idempotency_key is not null;

create table disputes (
  -- Stripe's id.
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
  -- Price at checkout; the amount paid is compared with it.
  amount_minor bigint not null,
  currency text not null,
  customer jsonb not null,
  language text not null,
  -- Set when the order is a gift and the account that took it bought the package.
  recipient_account text,
  status text not null,
  session_id text unique,
  checkout_url text,
  -- Stripe's payment intent.
  transaction_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  purchased_at timestamptz,
  -- Incremented when a purchase stops or becomes active again.
  revision integer not null default 0,
  -- Amount and currency paid, of a mismatched purchase.
  received jsonb,
  -- The trace in which the customer began to buy it.
  traceparent text
);

-- An order has at most one package on sale or active.
create unique index package_purchases_current on package_purchases (order_id)
  where status in ('creating', 'open', 'processing', 'active');
create index package_purchases_order on package_purchases (order_id);
create index package_purchases_recipient on package_purchases (recipient_account)
  where recipient_account is not null;
create index package_purchases_transaction on package_purchases (transaction_id);
-- Serves the admin's list of packages sold.
create index package_purchases_sold on package_purchases (purchased_at, id)
  where status in ('active', 'completed', 'stopped');
create index package_purchases_unsettled on package_purchases (updated_at) where status in ('open', 'processing');

-- Accounts that took gifts, which may buy photo packages for them.
create table gift_claims (
  order_id text primary key,
  account_id text not null,
  language text not null
);
create index gift_claims_account on gift_claims (account_id);

-- Withdrawals of donors from purchases. Request and retraction may arrive in any order; the later one counts.
create table withdrawals (
  order_id text primary key,
  requested_at timestamptz,
  retracted_at timestamptz
);

-- How far Stripe's lists have been compared.
create table reconciled_lists (
  name text primary key,
  until timestamptz not null
);

-- Lease of the comparison: one replica at a time.
create table reconciler_lease (
  "only" boolean primary key default true check ("only"),
  holder text,
  until timestamptz not null
);
insert into reconciler_lease (holder, until) values (null, '-infinity');

-- Comparisons requested by an operator, with their results.
create table reconciliations (
  id text primary key,
  since timestamptz not null,
  asked_at timestamptz not null,
  begun_at timestamptz,
  ended_at timestamptz,
  report jsonb
);

-- Bank transfers: see transfers/transfer.ts. A table of their own, as admins decide them and neither intents
-- nor webhooks nor the reconciler apply. Ids have the same format (ids.ts), so orders treats both alike.
create table transfers (
  id text primary key,
  order_id text not null unique,
  order_token text not null unique,
  idempotency_key text unique,
  request_hash text not null,
  -- Hash of buyer, purchase and files; finds a repeated submission. Null once the buyer is erased.
  fingerprint text,
  -- The bank of our account.
  bank text not null,
  package_type text not null,
  trees integer not null,
  -- Trees that the buyer asked for, when others were paid.
  trees_asked integer,
  amount_minor bigint not null,
  currency text not null,
  quote jsonb not null,
  customer jsonb not null,
  -- Time of the copied customer data; older events are ignored.
  customer_at timestamptz,
  language text not null,
  locale text,
  gift jsonb,
  reference text,
  -- The reference, normalized for comparison.
  reference_key text,
  state jsonb not null,
  status text not null generated always as (state ->> 'status') stored,
  revision integer not null default 0,
  created_at timestamptz not null,
  decided_at timestamptz,
  evidence_removed_at timestamptz,
  -- Bounds what strangers can upload before an admin decides, in total and per network.
  network_hash text,
  evidence_bytes integer not null default 0,
  -- The trace in which the buyer submitted it.
  traceparent text
);

create unique index transfers_pending_once on transfers (fingerprint) where status = 'pending';
create index transfers_by_fingerprint on transfers (fingerprint);
create index transfers_by_status on transfers (status, created_at, id);
-- Uses the status names of all_payments.
create index transfers_by_payment_status on transfers (
  (case status when 'pending' then 'submitted' when 'approved' then 'succeeded' else status end), created_at, id
);
create index transfers_by_age on transfers (created_at, id);
create index transfers_by_reference on transfers (reference_key, created_at);
create index transfers_by_email on transfers ((customer ->> 'email'));
create index transfers_gifts_to on transfers ((gift ->> 'recipientEmail')) where gift is not null;
create index transfers_with_evidence on transfers (decided_at)
  where decided_at is not null and evidence_removed_at is null;
create index transfers_undecided on transfers (created_at) where decided_at is null;
create index transfers_repeatable on transfers (created_at) where request_hash <> '' or idempotency_key is not null;

-- Facts about each file. The hash stays when the file is deleted, to recognize it when it is sent again.
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

-- Objects to delete. Each file is listed before it is stored and unlisted by the transaction that creates its
-- transfer, so files left by a crash are deleted too.
create table evidence_removals (
  object_key text primary key,
  due_at timestamptz not null
);

create index evidence_removals_due on evidence_removals (due_at);

-- Suggested references, so that none is suggested twice.
create table transfer_references (
  reference text primary key,
  suggested_at timestamptz not null
);

create index transfer_references_by_age on transfer_references (suggested_at);

-- Admins whose rights changed: see transfers/approvers.ts. Approvals until `void_until` count no more.
create table transfer_approvers (
  admin_id text primary key,
  may_approve boolean not null,
  void_until timestamptz,
  changed_at timestamptz not null
);

-- Files of banks: see statements/. A draft keeps its file until it is confirmed.
create table statements (
  id text primary key,
  bank text not null,
  file_name text not null,
  format text not null,
  account text,
  currency text not null,
  status text not null check (status in ('draft', 'imported')),
  content bytea,
  -- A draft's file as it was understood, and its credits: see statements/read/facts.ts and statements/credit.ts.
  facts jsonb,
  draft_credits json,
  -- What an admin said of this file.
  layout jsonb,
  uploaded_by jsonb not null,
  uploaded_at timestamptz not null,
  imported_by jsonb,
  imported_at timestamptz,
  first_day date,
  last_day date,
  credits integer not null default 0,
  credits_minor bigint not null default 0,
  -- Credits that were not there before, and orders approved by the import itself.
  added integer not null default 0,
  approved integer not null default 0
);

create index statements_imported on statements (imported_at, id) where status = 'imported';
create index statements_last_day on statements (bank, last_day) where status = 'imported';
create index statements_drafts on statements (uploaded_at) where status = 'draft';

-- Which column is which, by bank and the titles of its columns.
create table statement_layouts (
  bank text not null,
  header text not null,
  layout jsonb not null,
  primary key (bank, header)
);

-- Credits on statements. A row pays at most one order, a row that was split none: its parts are rows.
create table statement_rows (
  -- Derived from the row, so that it is added once: see statements/credit.ts.
  id text primary key,
  statement_id text not null references statements (id),
  -- Place in its file.
  position integer not null,
  bank text not null,
  day date not null,
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  text text not null,
  name text,
  number text,
  -- Our references in its text.
  refs text[] not null,
  parent_id text references statement_rows (id),
  status text not null default 'open' check (status in ('open', 'linked', 'split', 'ignored', 'kept')),
  order_id text references transfers (order_id),
  reason text,
  decided_by jsonb,
  decided_at timestamptz,
  check ((status = 'linked') = (order_id is not null))
);

create index statement_rows_open on statement_rows (day, id) where status = 'open';
create index statement_rows_open_sum on statement_rows (amount_minor, currency) where status = 'open';
create index statement_rows_open_refs on statement_rows using gin (refs) where status = 'open' and refs <> '{}';
-- Serves the search for the same credit in another file.
create index statement_rows_day_sum on statement_rows (day, amount_minor);
create index statement_rows_kept on statement_rows (day, id) where status = 'kept';
create index statement_rows_order on statement_rows (order_id) where order_id is not null;
create index statement_rows_done on statement_rows (decided_at, id) where status <> 'open';
create index statement_rows_parent on statement_rows (parent_id) where parent_id is not null;

-- Erased accounts and their address at that time. Earlier changes of address may arrive later and must not
-- apply.
create table erased_accounts (
  id text primary key,
  orders_too boolean not null,
  at timestamptz not null
);

-- Normalizes text for search: lower case, no accents, uniform apostrophes and dashes; then the same with
-- letters and digits only. Must match `folded` and `bare` in contracts/search.ts.
create function search_text(value text) returns text language sql immutable parallel safe as $$
  select plain || E'\n' || regexp_replace(plain, '[^[:alnum:]\n]', '', 'g')
  from (
    select replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')),
      'đðøłħıŋ’‘ʼ`´‐‑‒–—−', 'ddolhin''''''''''------'
    ), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') as plain
  ) folded
$$;

-- Payments of all kinds, for reading.
-- The received amount of a transfer counts if an admin noted it: refunds cannot exceed it.
create view all_payments as
select
  id, order_id, order_token, 'card'::text as payment_kind, null::text as bank, status, package_type, trees, amount_minor, currency,
  customer, language, locale, quote, intent_id as transaction_id, state -> 'card' as card,
  state -> 'failure' ->> 'reason' as failure_reason, state -> 'received' as received,
  (state ->> 'paidAt')::timestamptz as paid_at, charge, created_at, traceparent,
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
  case status when 'approved' then decided_at end, null::jsonb, created_at, traceparent,
  search_text((customer ->> 'name') || E'\n' || (customer ->> 'email') || E'\n' || order_id || E'\n' || id
    || E'\n' || coalesce(reference, ''))
from transfers;

-- Trigram indexes where the extension is available; without it a search scans all payments.
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
