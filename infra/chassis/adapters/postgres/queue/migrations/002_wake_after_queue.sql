-- A named queue holds its later jobs back while one runs. graphile-worker tells nobody when it is free again, so that
-- the next job would wait for a poll; this wakes the runners at once.
create function wake_after_queue() returns trigger language plpgsql as $$
begin
  if exists (
    select from graphile_worker._private_jobs
    where job_queue_id = new.id and is_available and run_at <= now()
  ) then
    perform pg_notify('jobs:insert', '{"count":1}');
  end if;
  return null;
end
$$;

create index if not exists arboleda_jobs_of_queue on graphile_worker._private_jobs (job_queue_id)
  where job_queue_id is not null;

create trigger wake_after_queue after update of locked_by on graphile_worker._private_job_queues
  for each row when (old.locked_by is not null and new.locked_by is null)
  execute function chassis.wake_after_queue();
