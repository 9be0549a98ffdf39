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
