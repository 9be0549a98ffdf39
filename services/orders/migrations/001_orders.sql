-- Orders: see table.ts. What lists and figures ask for has a column; what is only shown is jsonb. Text that is sorted is
-- compared byte by byte.
create table orders (
  id text collate "C" primary key,
  version integer not null,
  -- Of the private link.
  token text not null unique,
  status text not null,
  -- What it counts as: see `Standing`.
  standing text not null,
  is_paid boolean not null generated always as (standing in ('paid', 'withdrawn')) stored,
  status_revision integer not null,
  -- Grows with edits; `version` with every write.
  edit_version integer not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The organisation's, on which it was made: "2026-11-21".
  day text not null,

  -- The address in lower case, the name as it is sorted, and all that the order is found by: see search.ts.
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
  -- Of a transfer.
  bank text check ((bank is not null) = (payment_kind = 'transfer')),
  transaction_id text,
  card jsonb,
  manual_payment jsonb,
  refunds jsonb not null,
  refunded_minor bigint not null,
  disputes jsonb not null,
  lost_minor bigint not null,
  is_given_back boolean not null,

  assignment_id text,
  worker jsonb,
  assigned_at timestamptz(3),
  planted_at timestamptz(3),
  completed_at timestamptz(3),
  location text,
  coordinates jsonb,
  notes text,
  photos jsonb not null,
  growth jsonb not null,
  internal_notes jsonb not null,
  timeline jsonb not null
);

create index orders_newest on orders (created_at, id) where is_paid;
create index orders_newest_of_status on orders (status, created_at, id) where is_paid;
create index orders_by_trees on orders (trees, id) where is_paid;
create index orders_by_amount on orders (currency, amount_minor, id) where is_paid;
create index orders_by_name on orders (name_key, id) where is_paid;
create index orders_changed on orders (updated_at, id);
create index orders_of_customer on orders (email_key, created_at, id);
create index orders_waiting on orders (standing, created_at) where status = 'pending';
create index orders_not_planted on orders (assigned_at) where status = 'assigned' and standing = 'paid';
-- Without a list of what is still to be sorted in, through which every search would have to read.
create index orders_words on orders using gin (words) with (fastupdate = off);

-- Counters, changed with each order in one statement: see counters.ts. A sum over the shards is the figure.
create table order_totals (
  standing text not null,
  status text not null,
  is_photographed boolean not null,
  shard integer not null,
  orders bigint not null,
  trees bigint not null,
  primary key (standing, status, is_photographed, shard)
) with (fillfactor = 50);

-- What was ordered on a day of the organisation.
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

-- Accounts whose owner asked to be forgotten, by the account's id and by a hash of its address.
create table erased_accounts (
  id text primary key,
  version integer not null,
  account_id text not null,
  erased_at timestamptz(3) not null
);
