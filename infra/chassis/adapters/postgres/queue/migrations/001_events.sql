-- What the bus remembers: who wants which events, and what nobody could handle.
create table subscriptions (
  consumer text not null,
  type text not null,
  primary key (type, consumer)
);

create table dead_letters (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('event', 'job')),
  -- the consuming group of an event, the service of a job
  owner text not null,
  -- what is needed to queue it once more
  task text not null,
  queue text,
  key text,
  payload jsonb not null,
  error text not null,
  failed_at timestamptz not null default now()
);
create index dead_letters_owner on dead_letters (kind, owner, failed_at);
