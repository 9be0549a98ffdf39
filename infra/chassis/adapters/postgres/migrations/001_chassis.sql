-- Event types by consumer group.
create table subscriptions (
  group_name text not null,
  type text not null,
  primary key (type, group_name)
);

-- One row per event and group, in the order of publishing; deleted when the group has handled it.
create table deliveries (
  seq bigint generated always as identity primary key,
  group_name text not null,
  event_id text not null,
  key text not null,
  event json not null,
  -- Failed attempts, and when the next one is due.
  failed integer not null default 0,
  due_at timestamptz not null default now(),
  -- The lease: its holder, its end, and how often the row was leased since the last attempt ended.
  taken_by text,
  taken_until timestamptz,
  taken integer not null default 0,
  -- How often it was handled with nothing else in progress, after crashes.
  alone integer not null default 0,
  unique (group_name, event_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
create index deliveries_of_key on deliveries (group_name, key);

-- Events and jobs that failed for good, with all that a replay needs.
create table dead_letters (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (kind in ('event', 'job')),
  -- The event's consumer group, or the job's service.
  owner text not null,
  -- The event's type, or the job's task.
  task text not null,
  key text,
  payload jsonb not null,
  error text not null,
  failed_at timestamptz not null default now()
);
create index dead_letters_owner on dead_letters (kind, owner, failed_at);

-- Successful backups of this database: see docs/operations.md.
create table backups (
  made_at timestamptz primary key default now(),
  -- Who made it, and where: unknown for those that an operator records.
  version text,
  folder text
);

-- Adds a job. graphile-worker adds none, and tells it by an empty answer, when a job with the same key starts between
-- two of its statements. The next try sees that job running, and adds a new one.
create function add_job(
  task text, payload json, run_at timestamptz, most_attempts integer, job_key text, key_mode text
) returns void language plpgsql as $$
begin
  loop
    exit when (
      graphile_worker.add_job(task, payload, null, run_at, most_attempts, job_key, 0, array[task], key_mode)
    ).id is not null;
  end loop;
end
$$;
