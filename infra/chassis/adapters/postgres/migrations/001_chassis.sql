-- Which consumer group wants events of which type.
create table subscriptions (
  group_name text not null,
  type text not null,
  primary key (type, group_name)
);

-- An event on its way to one group, in the order of publication. The row goes when the group has handled it.
create table deliveries (
  seq bigint generated always as identity primary key,
  group_name text not null,
  event_id text not null,
  key text not null,
  event json not null,
  -- Failed attempts so far, and when the next one is due.
  failed integer not null default 0,
  due_at timestamptz not null default now(),
  -- The process that has it in hand, until when nobody else takes it, and how often it was taken since the last attempt ended.
  taken_by text,
  taken_until timestamptz,
  taken integer not null default 0,
  -- How often it was handled with nothing else in hand, after processes died with it.
  alone integer not null default 0,
  unique (group_name, event_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index deliveries_of_key on deliveries (group_name, key);

-- Events and jobs that nobody could handle, with all that is needed to try them once more.
create table dead_letters (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('event', 'job')),
  -- The consumer group of an event, the service of a job.
  owner text not null,
  -- The event's type, or the job's task.
  task text not null,
  key text,
  payload jsonb not null,
  error text not null,
  failed_at timestamptz not null default now()
);
create index dead_letters_owner on dead_letters (kind, owner, failed_at);
