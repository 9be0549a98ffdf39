import { waitFor } from './wait.ts';

/** @returns rows */
type Query = (text: string, values: unknown[]) => Promise<readonly unknown[]>;

/** Runs a periodic job now, and waits until it is done. */
export async function runPeriodicJob(query: Query, service: string, name: string): Promise<void> {
  const waiting = `from graphile_worker.jobs where key = $1 and locked_at is null`;
  const key = [`job:${service}:every:${name}`];
  const isDone = async () => (await query(`select id ${waiting} and run_at > now()`, key)).length === 1;
  // Its first run starts with the service.
  await wakeWorkers(query);
  await waitFor(isDone);
  await query(`select from graphile_worker.reschedule_jobs(array(select id ${waiting}), now())`, key);
  await wakeWorkers(query);
  await waitFor(isDone);
}

/** Starts waiting jobs of a kind now, as soon as there are any. */
export async function startWaitingJobs(query: Query, service: string, name: string): Promise<void> {
  await waitFor(async () => {
    const hurried = await query(
      `select from graphile_worker.reschedule_jobs(
         array(select id from graphile_worker.jobs where task_identifier = $1 and locked_at is null), now())`,
      [`job:${service}:${name}`],
    );
    return hurried.length > 0;
  });
  await wakeWorkers(query);
}

/** Starts due jobs at once instead of at the next poll. */
export const wakeWorkers = async (query: Query): Promise<void> =>
  void (await query(`select pg_notify('jobs:insert', $1)`, ['{"count":8}']));
