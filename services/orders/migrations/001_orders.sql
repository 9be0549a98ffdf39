-- Orders: see table.ts. Fields used by lists and figures are columns; fields that are only shown are jsonb.
-- Sorted text uses byte order.
create table orders (
  id text collate "C" primary key,
  version integer not null,
  -- Token of the private link.
  token text not null unique,
  status text not null,
  -- See `Standing`.
  standing text not null,
  is_paid boolean not null generated always as (standing in ('paid', 'withdrawn')) stored,
  status_revision integer not null,
  -- Incremented by edits; `version` by every write.
  edit_version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Day of creation in the organisation's time zone: "2026-11-21".
  day text not null,

  -- The address in lower case, the name as a sort key, and the words for search: see search.ts.
  email_key text not null,
  name_key text collate "C" not null,
  words tsvector not null,
  customer jsonb not null,
  language text not null,

  trees integer not null,
  package_type text not null,
  region text,
  currency text collate "C" not null,
  amount_minor bigint not null,
  payment_id text not null,
  payment_kind text not null check (payment_kind in ('card', 'transfer')),
  -- Transfers only.
  bank text check ((bank is not null) = (payment_kind = 'transfer')),
  transaction_id text,
  -- "2026-000123", once paid.
  receipt_number text,
  card jsonb,
  manual_payment jsonb,
  refunds jsonb not null,
  -- Which refunds are under way, or ended without money going back.
  refund_states jsonb,
  refunded_minor bigint not null,
  disputes jsonb not null,
  lost_minor bigint not null,
  is_given_back boolean not null,

  assignment_id text,
  worker jsonb,
  -- For filters and sorting: the worker's name, and the region of the worker or of the buyer's wish, as sort keys.
  worker_id text,
  worker_key text collate "C" not null,
  region_key text collate "C" not null,
  -- See `isFlagged`.
  is_flagged boolean not null,
  assigned_at timestamptz(3),
  planted_at timestamptz(3),
  completed_at timestamptz(3),
  location text,
  coordinates jsonb,
  -- A former worker reported a step of an order that is not planted yet.
  is_reported boolean not null,
  notes text,
  photos jsonb not null,
  growth jsonb not null,
  internal_notes jsonb not null,
  certificate jsonb,
  -- What its buyer wrote, and what became of it. Below: the token of the recipient's page, the address, and the account that
  -- took it.
  gift jsonb,
  gift_token text unique,
  gift_state text,
  gift_email text,
  gift_account text,
  -- The donor withdraws. Below, while the money is not back: since when, and until when it is to be.
  withdrawal jsonb,
  withdrawn_from_at timestamptz(3),
  refund_by timestamptz(3),
  timeline jsonb not null,
  -- The trace in which it was added.
  traceparent text
);

create index orders_newest on orders (created_at, id) where is_paid;
create index orders_newest_of_status on orders (status, created_at, id) where is_paid;
create index orders_by_trees on orders (trees, id) where is_paid;
create index orders_by_amount on orders (currency, amount_minor, id) where is_paid;
create index orders_by_name on orders (name_key, id) where is_paid;
create index orders_by_worker on orders (worker_key, id) where is_paid;
create index orders_of_worker on orders (worker_id, created_at, id) where is_paid;
create index orders_of_region on orders (region_key, created_at, id) where is_paid;
create index orders_of_method on orders (payment_kind, created_at, id) where is_paid;
create index orders_refunded on orders (created_at, id) where is_paid and refunded_minor > 0;
create index orders_flagged on orders (created_at, id) where is_paid and is_flagged;
create index orders_gifts on orders (created_at, id) where is_paid and gift_state is not null;
create index orders_gifts_of_state on orders (gift_state, created_at, id) where is_paid;
create index orders_gifts_to on orders (gift_email, (gift ->> 'deliverOn')) where gift_email is not null;
create index orders_gifts_of_account on orders (gift_account) where gift_account is not null;
create index orders_withdrawals on orders (created_at, id) include (withdrawn_from_at, refund_by)
  where is_paid and refund_by is not null;
create index orders_changed on orders (updated_at, id);
create index orders_of_customer on orders (email_key, created_at, id);
create index orders_waiting on orders (standing, created_at) where status = 'pending';
create index orders_not_planted on orders (assigned_at) where status = 'assigned' and standing = 'paid';
create index orders_reported on orders (updated_at) where is_reported;
-- Without fastupdate, whose pending list every search would have to scan.
create index orders_words on orders using gin (words) with (fastupdate = off);

-- The last number given to a receipt, by year of payment in the organisation's time zone.
create table receipt_years (
  year integer primary key,
  last integer not null default 0
);

create table receipts (
  order_id text primary key,
  year integer not null,
  number integer not null,
  unique (year, number)
);

-- Codes of all versions of certificates. `number` is the place of a version's state in the status lists, from 0;
-- `is_ended`: superseded or revoked.
create table certificates (
  code text collate "C" primary key,
  number bigint not null unique generated always as identity (minvalue 0 start 0),
  order_id text collate "C" not null,
  is_ended boolean not null default false
);
create index certificates_ended on certificates (number) where is_ended;

-- Counters, updated in the statement that writes the order: see counters.ts. A counter is the sum of its
-- shards.
create table order_totals (
  standing text not null,
  status text not null,
  is_photographed boolean not null,
  shard integer not null,
  orders bigint not null,
  trees bigint not null,
  primary key (standing, status, is_photographed, shard)
) with (fillfactor = 50);

-- Sales by day in the organisation's time zone.
create table order_days (
  day text not null,
  currency text not null,
  standing text not null,
  shard integer not null,
  orders bigint not null,
  trees bigint not null,
  amount_minor bigint not null,
  refunded_minor bigint not null,
  lost_minor bigint not null,
  primary key (day, currency, standing, shard)
) with (fillfactor = 50);

-- Sales of photo packages by day of the purchase.
create table package_days (
  day text not null,
  currency text not null,
  shard integer not null,
  packages bigint not null,
  amount_minor bigint not null,
  refunded_minor bigint not null,
  lost_minor bigint not null,
  primary key (day, currency, shard)
) with (fillfactor = 50);

-- Erased accounts, by id and by a hash of the address.
create table erased_accounts (
  id text primary key,
  version integer not null,
  account_id text not null,
  erased_at timestamptz(3) not null
);

-- Columns of rate-limiter-flexible: wrong addresses typed for a receipt, by hashes of link and network.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);
