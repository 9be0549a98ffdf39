import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { Job, JobHandler, Jobs } from '@arboleda/chassis/ports/jobs.ts';
import {
  type ArboledaEvent,
  EVENTS,
  keyOf,
  type NewEvent,
  parseEvent,
} from '@arboleda/contracts/events/index.ts';
import type { Fault } from './faults.ts';
import type { Trouble } from './history.ts';

const SECOND_MS = 1_000;
/** What an event, a webhook and a job need to arrive when nothing is wrong. */
const USUAL_MS = 5;
/** A consumer that crashed takes its event again after this; a publisher that crashed is swept after it. */
const RECOVERY_MS = 30 * SECOND_MS;
/** So much may happen while a consumer or a job waits for its store. */
const OVERTAKEN_MS = SECOND_MS;
/** Delays between tries double, so that these last for weeks of simulated time. */
const MOST_TRIES = 22;

/** A service's process dies here: what it wrote stays, what it was doing is lost. */
export class Crash extends Error {}

/** A rule of the product that did not hold. */
export class Violation extends Error {}

interface Task {
  at: number;
  order: number;
  run: () => Promise<void> | void;
}

/** What the stores of a service need of its process. */
export interface Process {
  /** A crashed process reads and writes nothing. */
  touch(): void;
  /** Into the outbox: told to others after the write, also when the process dies. @param sequence version of the aggregate */
  commit(events: readonly NewEvent[], jobs: readonly Job[], sequence: number): void;
  /** Lets others go first, between what was read and the write to come, if this is the moment. */
  meanwhile(): Promise<void> | undefined;
  /** Dies after the write that was just done, if this is the moment. */
  mayCrash(): void;
}

export interface Service extends Process {
  jobs: Jobs;
  subscribe(handlers: EventHandlers): void;
}

export interface World {
  clock: () => Date;
  /** Runs at a later moment. */
  later(ms: number, run: Task['run']): void;
  /** A service with its own jobs and, once it subscribes, its own consumer group. */
  service(name: string): Service;
  /** Work that a service does again and again. */
  every(run: () => Promise<void>): void;
  /** Brings something to a service, with the troubles of the way. @param what names it, as the troubles do */
  deliver(way: {
    to: string;
    what: string;
    orderId: string;
    run: () => Promise<void>;
    isKept: boolean;
  }): void;
  /** Lets the time pass until nothing is left to be done before then. */
  until(ms: number): Promise<void>;
  /** Does the regular work of all services once. */
  tick(): Promise<void>;
  /** Ends the run: a rule does not hold. The first one counts. */
  fail(violation: Violation): void;
  /** How many events of a type were told of an order. */
  told(orderId: string, type: string): number;
  /** Notes what happened, for people; nothing is noted in runs that nobody reads. */
  say(line: string): void;
  lines: readonly string[] | undefined;
  nowMs(): number;
  /** How many deliveries there were, for the report. */
  deliveries(): number;
}

/** @param troubles of the n-th order */
export function openWorld(options: {
  startMs: number;
  troubles: readonly (readonly Trouble[])[];
  fault: Fault | undefined;
  isTraced: boolean;
}): World {
  const { troubles, fault, isTraced } = options;
  let nowMs = options.startMs;
  let counted = 0;
  let delivered = 0;
  const tasks: Task[] = [];
  const groups = new Map<string, { handlers: EventHandlers; service: Service; attempt: Attempt }>();
  const regular: (() => Promise<void>)[] = [];
  const occurrences = new Map<string, number>();
  const told = new Map<string, number>();
  let violation: Violation | undefined;
  const lines: string[] | undefined = isTraced ? [] : undefined;
  const say = (line: string) => void lines?.push(`${new Date(nowMs).toISOString()} ${line}`);

  const later: World['later'] = (ms, run) => {
    const task = { at: nowMs + ms, order: counted++, run };
    let low = 0;
    let high = tasks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (tasks[middle]!.at <= task.at) low = middle + 1;
      else high = middle;
    }
    tasks.splice(low, 0, task);
  };

  const about = (key: string) => (ORDER_ID.test(key) ? `order ${orderNumberOf(key)}` : key || 'the service');
  const troublesAt = troubles.map((ofOrder) => Map.groupBy(ofOrder, ({ what, to }) => `${what} ${to}`));

  /** What is wrong with the next delivery of this kind; each trouble meets one of them. */
  function troublesOf(orderId: string, what: string, to: string): readonly Trouble[] {
    const found = troublesAt[orderNumberOf(orderId)]?.get(`${what} ${to}`);
    if (!found) return [];
    const key = `${orderId} ${what} ${to}`;
    const nth = occurrences.get(key) ?? 0;
    occurrences.set(key, nth + 1);
    return found.filter((one) => one.nth === nth);
  }

  /** Tries until it works; who throws is tried again later. */
  function tryUntilDone(attempt: Attempt, name: string, run: () => Promise<void>, moment: Moment) {
    let tries = 0;
    const one = async (meets: Moment): Promise<void> => {
      const error = await attempt(run, meets);
      if (error === undefined) return;
      if (error instanceof Violation) throw error;
      if (++tries >= MOST_TRIES) throw new Violation(`${name} is never taken: ${error.message}`);
      if (lines)
        say(`${name} fails: ${error instanceof Crash ? 'the process dies after a write' : error.message}`);
      const pauseMs = error instanceof Crash ? RECOVERY_MS : SECOND_MS * 2 ** tries;
      later(pauseMs, () => one({}));
    };
    return () => {
      delivered++;
      if (lines) say(name);
      return one(moment);
    };
  }

  function deliverTo(
    attempt: Attempt,
    way: { to: string; what: string; orderId: string; run: () => Promise<void>; isKept: boolean },
    afterMs: number,
  ) {
    const { to, what, orderId, run, isKept } = way;
    const found = troublesOf(orderId, what, to);
    const name = lines ? `${what} of ${about(orderId)} reaches ${to}` : what;
    let lateMs = afterMs + USUAL_MS;
    const moment: Moment = {};
    for (const trouble of found) {
      if (trouble.kind === 'late') lateMs += trouble.ms;
      if (trouble.kind === 'lost' && !isKept) return;
      if (trouble.kind === 'lost') lateMs += RECOVERY_MS;
      if (trouble.kind === 'crash') moment.crashAfter = trouble.writes;
      if (trouble.kind === 'overtaken') moment.others = trouble.by;
      if (trouble.kind === 'twice')
        later(lateMs + trouble.ms, tryUntilDone(attempt, `${name}, again`, run, {}));
    }
    later(lateMs, tryUntilDone(attempt, name, run, moment));
  }

  function publish(publisher: string, event: ArboledaEvent, orderId: string) {
    if (lines) say(`${publisher} tells ${event.type} of ${about(orderId)}`);
    const key = `${orderId} ${event.type}`;
    told.set(key, (told.get(key) ?? 0) + 1);
    const keptBack = troublesOf(orderId, event.type, 'everybody');
    const sweptMs = keptBack.length > 0 ? RECOVERY_MS : 0;
    for (const [to, { handlers, attempt }] of groups) {
      const handler = handlers[event.type] as ((event: ArboledaEvent) => Promise<void>) | undefined;
      if (!handler) continue;
      const run = async () => {
        const heard = fault?.hears ? fault.hears(to, event, () => counted++) : event;
        if (heard) await handler(heard);
      };
      deliverTo(attempt, { to, what: event.type, orderId, run, isKept: true }, sweptMs);
    }
  }

  function service(name: string): Service {
    const waiting = new Map<string, Job>();
    const jobHandlers = new Map<string, JobHandler>();
    let writesLeft: number | undefined;
    let others: number | undefined;
    let isDead = false;

    const attempt: Attempt = async (run, moment) => {
      const before = { writesLeft, others, isDead };
      writesLeft = moment.crashAfter;
      others = moment.others;
      isDead = false;
      try {
        await run();
        return isDead ? new Crash() : undefined;
      } catch (error) {
        return isDead && !(error instanceof Violation) ? new Crash() : (error as Error);
      } finally {
        ({ writesLeft, others, isDead } = before);
      }
    };

    function enqueue(jobs: readonly Job[]) {
      for (const job of jobs) {
        const handler = jobHandlers.get(job.name);
        if (!handler) continue;
        const id = job.key === undefined ? undefined : `${job.name} ${job.key}`;
        const isWaiting = id !== undefined && waiting.has(id);
        if (id !== undefined) waiting.set(id, job);
        if (isWaiting) continue;
        const afterMs = job.runAt === undefined ? 0 : Math.max(0, Date.parse(job.runAt) - nowMs);
        const about = job.payload.orderId ?? job.payload.mailId ?? '';
        const run = async () => {
          const latest = (id === undefined ? undefined : waiting.get(id)) ?? job;
          if (id !== undefined) waiting.delete(id);
          await handler(latest.payload);
        };
        deliverTo(attempt, { to: name, what: job.name, orderId: String(about), run, isKept: true }, afterMs);
      }
    }

    const self: Service = {
      touch() {
        if (isDead) throw new Crash();
      },
      commit(events, jobs, sequence) {
        for (const event of events) {
          const enveloped = envelope(event, sequence);
          publish(name, enveloped, enveloped.key);
        }
        enqueue(jobs);
      },
      meanwhile() {
        if (others === undefined) return undefined;
        const count = others;
        others = undefined;
        say(`${name} waits for its store`);
        return runNext(count);
      },
      mayCrash() {
        if (writesLeft === undefined || --writesLeft > 0) return;
        writesLeft = undefined;
        isDead = true;
        throw new Crash();
      },
      jobs: {
        enqueue: async (jobs) => enqueue(jobs),
        handOver: async (jobs) => (enqueue(jobs), []),
        handle: async (job, handler) => void jobHandlers.set(job, handler),
        every: async (_name, _intervalMs, run) => void regular.push(run),
        waiting: async () => waiting.size,
        deadJobs: async () => [],
        replay: async () => false,
        close: async () => {},
      } as Partial<Jobs> as Jobs,
      subscribe(handlers) {
        if (!fault?.forgets?.(name)) groups.set(name, { handlers, service: self, attempt });
      },
    };
    attempts.set(name, attempt);
    return self;
  }
  const attempts = new Map<string, Attempt>();

  /** The first of its type in a history is held to the contract: that takes longer than its delivery. */
  const held = new Set<string>();
  function envelope(event: NewEvent, sequence: number): ArboledaEvent {
    const enveloped = {
      id: `event-${counted++}`,
      type: event.type,
      version: EVENTS[event.type].version,
      occurredAt: new Date(nowMs).toISOString(),
      key: keyOf(event),
      sequence,
      correlationId: 'simulation',
      data: event.data,
    } as ArboledaEvent;
    if (held.has(event.type)) return enveloped;
    held.add(event.type);
    return parseEvent(enveloped);
  }

  async function run(task: Task) {
    nowMs = Math.max(nowMs, task.at);
    await task.run();
    if (violation) throw violation;
  }
  async function runNext(count: number) {
    const untilMs = nowMs + OVERTAKEN_MS;
    for (let n = 0; n < count && tasks.length > 0 && tasks[0]!.at <= untilMs; n++) await run(tasks.shift()!);
  }
  async function until(ms: number) {
    while (tasks.length > 0 && tasks[0]!.at <= ms) await run(tasks.shift()!);
    if (Number.isFinite(ms)) nowMs = Math.max(nowMs, ms);
  }

  return {
    clock: () => new Date(nowMs),
    later,
    service,
    every: (run) => void regular.push(run),
    deliver: (way) => deliverTo(attempts.get(way.to)!, way, 0),
    until,
    async tick() {
      for (const run of regular) await run();
    },
    fail: (one) => void (violation ??= one),
    told: (orderId, type) => told.get(`${orderId} ${type}`) ?? 0,
    say,
    lines,
    nowMs: () => nowMs,
    deliveries: () => delivered,
  };
}

/** What goes wrong inside of one try. */
interface Moment {
  /** The process dies after so many writes. */
  crashAfter?: number;
  /** So many other things happen before its first write. */
  others?: number;
}

/** @returns what the run threw, or the crash that it met */
type Attempt = (run: () => Promise<void>, moment: Moment) => Promise<Error | undefined>;

/** An order's id says which life of the history it belongs to: see `orderIdOf`. */
export const orderNumberOf = (orderId: string): number =>
  ORDER_ID.test(orderId) ? parseInt(orderId.slice(0, 22), 16) : 0;
const ORDER_ID = /^[0-9a-f]{24}$/;
export const orderIdOf = (life: number, attempt: number): string =>
  life.toString(16).padStart(22, '0') + attempt.toString(16).padStart(2, '0');
