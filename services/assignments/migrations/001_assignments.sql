-- Ids and codes use byte order.
create table workers (
  id text collate "C" primary key,
  version integer not null,
  code text collate "C" not null,
  name text not null,
  email text not null,
  region text not null,
  language text not null,
  active boolean not null,
  capacity_trees integer not null,
  -- Version of the event the profile was copied from.
  sequence integer not null,
  occurred_at timestamptz not null,
  -- The load: written only together with assignments.
  assigned integer not null default 0,
  planted integer not null default 0,
  completed integer not null default 0,
  assigned_trees integer not null default 0,
  planted_trees integer not null default 0,
  completed_trees integer not null default 0
);

create index workers_active on workers (id) where active;
create index workers_by_code on workers (code, id);

create table assignments (
  id text collate "C" primary key,
  version integer not null,
  order_id text not null,
  trees integer not null,
  region text,
  customer jsonb not null,
  ordered_at timestamptz not null,
  status text not null,
  worker jsonb,
  worker_id text generated always as (worker ->> 'workerId') stored,
  assigned_at timestamptz,
  planted_at timestamptz,
  completed_at timestamptz,
  confirmed jsonb not null,
  status_revision integer not null,
  confirmed_revision integer not null,
  steps jsonb not null,
  history jsonb not null,
  is_withdrawn boolean not null,
  is_released boolean not null,
  taken_from_worker_id text,
  location text,
  coordinates jsonb,
  notes text,
  set_by_admin jsonb not null,
  copies jsonb not null,
  photos jsonb not null,
  growth jsonb not null,
  -- Text for the worker's search, normalized as in contracts/search.ts.
  search_text text not null,
  updated_at timestamptz not null,
  -- The trace in which it was added.
  traceparent text
);

create index assignments_waiting on assignments (ordered_at, id) where status = 'pending';
create index assignments_released on assignments (ordered_at, id) where is_released;
create index assignments_to_plant on assignments (worker_id, assigned_at, id) where status = 'assigned';
create index assignments_to_complete on assignments (worker_id, assigned_at, id) where status = 'planted';
create index assignments_done on assignments (worker_id, completed_at, id) where status = 'completed';
create index assignments_by_change on assignments (updated_at, id);

-- Growth visits for lookups; their details are in the assignment.
create table visits (
  id text collate "C" primary key,
  assignment_id text collate "C" not null references assignments (id),
  phase text not null,
  worker_id text,
  due_at timestamptz,
  done_at timestamptz,
  -- Time of the next notice to the worker.
  notice_at timestamptz
);

create index visits_open on visits (worker_id, due_at, id) where phase = 'open';
create index visits_done on visits (worker_id, done_at, id) where phase = 'done';
create index visits_overdue on visits (due_at) where phase = 'open';
create index visits_notices on visits (notice_at, id) where notice_at is not null;

-- Aborts a statement that would assign an order to a worker who is inactive or has no capacity.
create function refuse_worker(worker_id text) returns boolean language plpgsql as $$
begin
  raise exception 'worker % has left or has no room', worker_id using errcode = 'AB001';
end
$$;
