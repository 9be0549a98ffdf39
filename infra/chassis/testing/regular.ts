import { waitFor } from './wait.ts';

type Query = (text: string, values: unknown[]) => Promise<unknown>;

/** Makes a regular job due now; it is done when it has run at a service's address, by a figure that it leaves. */
export async function runRegular(query: Query, service: string, name: string): Promise<void> {
  await query(
    `select from graphile_worker.reschedule_jobs(
       array(select id from graphile_worker.jobs where key = $1 and locked_at is null), now())`,
    [`job:${service}:every:${name}`],
  );
}

/** What a service cleared so far of one kind; undefined before its first turn. */
export async function clearedAt(url: string, what: string): Promise<number | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = text.split('\n').find((one) => one.startsWith(`retention_cleared_total{what="${what}"`));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

/** Lets the retention of a service that was just started have its turn. @param last the last of what it clears */
export async function runRetention(
  query: Query,
  service: { name: string; url: string },
  last: string,
): Promise<void> {
  await waitFor(async () => {
    await runRegular(query, service.name, 'retention');
    return (await clearedAt(service.url, last)) !== undefined;
  });
}
