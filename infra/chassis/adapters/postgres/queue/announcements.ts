import type { WorkerEvents } from 'graphile-worker';

/** Beside graphile-worker's own notification: tells the workers that what was added are events. */
export const EVENTS_ANNOUNCED = '{"count":1,"events":true}';

/** Tells the workers of jobs that so many can begin now. */
export const announcedJobs = (count: number): string => `{"count":${count},"jobs":true}`;

/** graphile-worker's own notification does not say what was added. Each of ours comes with one of it. */
const isUnspecific = (payload: string) => payload.includes('"r":');
const isOfJobs = (payload: string) => payload.includes('"jobs":true');

/**
 * Events and jobs have runners of their own, and each notification reaches both: a fetch for what the other one runs costs
 * as much as any, and finds nothing. What no announcement names (a wish that comes from elsewhere) is found by a poll.
 */
export function hearOnly(kind: 'events' | 'jobs', events: WorkerEvents): void {
  const isHeard = (payload: string) =>
    kind === 'jobs' ? isOfJobs(payload) : !isOfJobs(payload) && !isUnspecific(payload);
  events.on('pool:listen:notification', ({ message }) => {
    // The workers read the message after this: nobody is woken for a count of none.
    if (message.channel === 'jobs:insert' && !isHeard(message.payload ?? '')) message.payload = '{"count":0}';
  });
}
