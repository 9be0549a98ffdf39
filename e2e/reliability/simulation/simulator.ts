import type { EventHandlers } from '@arboleda/chassis/ports/event-bus.ts';
import type { Job, JobHandler, Jobs } from '@arboleda/chassis/ports/jobs.ts';
import {
  type ArboledaEvent,
  EVENTS,
  keyOf,
  type NewEvent,
  parseEvent,
} from '@arboleda/contracts/events/index.ts';
import type { History, Trouble } from './history.ts';
import type { Fault } from './faults.ts';

const SECOND_MS = 1_000;
/** Latency of an event, a webhook or a job without trouble. */
const USUAL_MS = 5;
/** Time until a crashed consumer receives its event again, and until a sweep publishes what a crash left in the outbox. */
const RECOVERY_MS = 30 * SECOND_MS;
/** Longest wait of a consumer or a job for its store. */
const OVERTAKEN_MS = SECOND_MS;
/** The delay doubles with each try, so these span weeks of simulated time. */
const MOST_TRIES = 22;

/** A process dies: its writes stay, the rest of its work is lost. */
export class Crash extends Error {}

/** A rule of the product that did not hold. */
export class Violation extends Error {}

interface Task {
  at: number;
  run: () => Promise<void> | void;
}

export interface Process {
  /** A crashed process reads and writes nothing. */
  touch(): void;
  /** Publishes and enqueues, also when the process dies afterwards. @param sequence version of the aggregate */
  commit(events: readonly NewEvent[], jobs: readonly Job[], sequence: number): void;
  /** Runs other tasks between a read and the next write, if a trouble asks for it here. */
  meanwhile(): Promise<void> | undefined;
  /** Dies after the latest write, if a trouble asks for it here. */
  mayCrash(): void;
}

export interface Service extends Process {
  jobs: Jobs;
  subscribe(handlers: EventHandlers): void;
}

/** An event, a webhook or a job on its way to a service. */
interface Delivery {
  to: string;
  /** Its name in troubles. */
  what: string;
  orderId: string;
  run: () => Promise<void>;
  /** Delivered again when it is lost. */
  isKept: boolean;
}

export type Simulator = ReturnType<typeof openSimulator>;

/** The clock, the bus and the job queues of a run. @param history says the troubles of deliveries */
export function openSimulator(
  history: History,
  { startMs, fault, isTraced }: { startMs: number; fault: Fault | undefined; isTraced: boolean },
) {
  let nowMs = startMs;
  let counted = 0;
  let delivered = 0;
  const tasks: Task[] = [];
  const attempts = new Map<string, Attempt>();
  const groups = new Map<string, EventHandlers>();
  const regular: (() => Promise<void>)[] = [];
  const occurrences = new Map<string, number>();
  const published = new Map<string, number>();
  let violation: Violation | undefined;
  const lines: string[] | undefined = isTraced ? [] : undefined;
  const trace = (line: string) => void lines?.push(`${new Date(nowMs).toISOString()} ${line}`);

  /** Schedules a task; those of one moment run in the order of their scheduling. */
  function later(ms: number, run: Task['run']): void {
    const at = nowMs + ms;
    const before = tasks.findLastIndex((task) => task.at <= at);
    tasks.splice(before + 1, 0, { at, run });
  }

  const about = (key: string) => (ORDER_ID.test(key) ? `order ${orderNumberOf(key)}` : key || 'the service');
  const troublesAt = history.map(({ troubles }) => Map.groupBy(troubles, ({ what, to }) => `${what} ${to}`));

  /** The troubles of the next delivery of this kind. */
  function troublesOf(orderId: string, what: string, to: string): readonly Trouble[] {
    const found = troublesAt[orderNumberOf(orderId)]?.get(`${what} ${to}`);
    if (!found) return [];
    const key = `${orderId} ${what} ${to}`;
    const nth = occurrences.get(key) ?? 0;
    occurrences.set(key, nth + 1);
    return found.filter((one) => one.nth === nth);
  }

  /** Runs something until it succeeds; a failure is retried with growing delay. */
  function tryUntilDone(attempt: Attempt, name: string, run: () => Promise<void>, moment: Moment) {
    let tries = 0;
    const one = async (meets: Moment): Promise<void> => {
      const error = await attempt(run, meets);
      if (error === undefined) return;
      if (error instanceof Violation) throw error;
      if (++tries >= MOST_TRIES) throw new Violation(`${name} never succeeds: ${error.message}`);
      if (lines)
        trace(`${name} fails: ${error instanceof Crash ? 'the process dies after a write' : error.message}`);
      const pauseMs = error instanceof Crash ? RECOVERY_MS : SECOND_MS * 2 ** tries;
      later(pauseMs, () => one({}));
    };
    return () => {
      delivered++;
      if (lines) trace(name);
      return one(moment);
    };
  }

  function deliver({ to, what, orderId, run, isKept }: Delivery, afterMs = 0): void {
    const attempt = attempts.get(to)!;
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
    if (lines) trace(`${publisher} publishes ${event.type} of ${about(orderId)}`);
    const key = `${orderId} ${event.type}`;
    published.set(key, (published.get(key) ?? 0) + 1);
    const keptBack = troublesOf(orderId, event.type, 'everybody');
    const sweptMs = keptBack.length > 0 ? RECOVERY_MS : 0;
    for (const [to, handlers] of groups) {
      const handler = handlers[event.type] as ((event: ArboledaEvent) => Promise<void>) | undefined;
      if (!handler) continue;
      const run = async () => {
        await handler(fault?.receives?.(to, event, () => counted++) ?? event);
      };
      deliver({ to, what: event.type, orderId, run, isKept: true }, sweptMs);
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
        deliver({ to: name, what: job.name, orderId: String(about), run, isKept: true }, afterMs);
      }
    }

    attempts.set(name, attempt);
    return {
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
        trace(`${name} waits for its store`);
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
        handle: async (job, handler) => void jobHandlers.set(job, handler),
        every: async (_name, _intervalMs, run) => void regular.push(run),
      } as Partial<Jobs> as Jobs,
      subscribe(handlers) {
        if (!fault?.skips?.(name)) groups.set(name, handlers);
      },
    };
  }

  /** Validates only the first event of a type, because validation takes longer than a delivery. */
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
    nowMs: () => nowMs,
    later,
    /** A service with its own jobs and, once it subscribes, its own consumer group. */
    service,
    deliver,
    /** Runs all tasks until then. */
    until,
    /** Runs the periodic work of all services once. */
    async tick() {
      for (const run of regular) await run();
    },
    /** Ends the run. */
    fail: (one: Violation) => void (violation ??= one),
    /** How many events of a type were published for an order. */
    published: (orderId: string, type: string) => published.get(`${orderId} ${type}`) ?? 0,
    /** Adds a line to the trace of a traced run. */
    trace,
    lines,
    /** How many deliveries there were, for the report. */
    deliveries: () => delivered,
  };
}

/** Troubles during one run of a handler. */
interface Moment {
  /** Number of writes until the process dies. */
  crashAfter?: number;
  /** Number of other tasks that run before its first write. */
  others?: number;
}

/** @returns what the run threw, or the crash that it met */
type Attempt = (run: () => Promise<void>, moment: Moment) => Promise<Error | undefined>;

/** Index of an order's life in the history: see `orderIdOf`. */
const orderNumberOf = (orderId: string): number =>
  ORDER_ID.test(orderId) ? parseInt(orderId.slice(0, 22), 16) : 0;
const ORDER_ID = /^[0-9a-f]{24}$/;
export const orderIdOf = (life: number, attempt: number): string =>
  life.toString(16).padStart(22, '0') + attempt.toString(16).padStart(2, '0');
