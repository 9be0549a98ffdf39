import { withContext } from '../../../context.ts';
import { openLimits } from '../../../limits.ts';
import type { Logger } from '../../../log.ts';
import { repeat } from '../../../repeat.ts';
import type { Queue } from './queue.ts';
import type { TakenJob } from './stored.ts';

/** This process's hands: they take what is due and hold its lease while they work. */
export interface Workers {
  /** @param run puts the job away in the end; what it does not is run again when its lease has ended. */
  add(name: string, concurrency: number, run: (job: TakenJob) => Promise<void>): void;
  /** Something is due at once, or soon. */
  wake(at?: Date): void;
  /** Takes nothing more and waits for what is in hand; what still is after `withinMs` is given back. */
  stop(withinMs: number): Promise<void>;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 500;
const PAUSE_AFTER_FAILURE_MS = 1_000;

export function openWorkers(queue: () => Promise<Queue>, leaseMs: number, logger: Logger): Workers {
  const kinds = new Map<string, (job: TakenJob) => Promise<void>>();
  const limits = openLimits();
  const inHand = new Map<TakenJob, Promise<void>>();
  const bell = openBell();
  let stopped = false;
  let failing = false;
  let taking: Promise<void> | undefined;

  const renewer = repeat(
    leaseMs / 3,
    async () => {
      if (inHand.size > 0) await (await queue()).renew([...inHand.keys()]);
    },
    logger,
    'holding jobs',
  );

  const begin = (job: TakenJob) => {
    limits.take(job.name);
    const work = withContext(job.context, () => kinds.get(job.name)!(job))
      .catch((error: unknown) =>
        logger.warn({ err: error, job: job.name }, 'a job could not be put away and will be run again'),
      )
      .finally(() => {
        inHand.delete(job);
        limits.give(job.name);
        bell.ring();
      });
    inHand.set(job, work);
  };

  const takeOne = async (): Promise<TakenJob | undefined> => {
    const full = limits.full();
    const names = [...kinds.keys()].filter((name) => !full.includes(name));
    if (names.length === 0) return undefined;
    try {
      const job = await (await queue()).take(names);
      failing = false;
      return job;
    } catch (error) {
      if (!failing) logger.warn({ err: error }, 'jobs cannot be taken');
      failing = true;
      return undefined;
    }
  };

  /** When that fails, the end of the lease does it. */
  const giveBack = async (job: TakenJob) => {
    try {
      await (await queue()).giveBack(job);
    } catch (error) {
      logger.warn({ err: error, job: job.name }, 'a job in hand waits for the end of its lease');
    }
  };

  const takeAll = async () => {
    let pauseMs = FIRST_PAUSE_MS;
    while (!stopped) {
      const job = await takeOne();
      if (job && stopped) await giveBack(job);
      else if (job) begin(job);
      else await bell.heard(failing ? PAUSE_AFTER_FAILURE_MS : pauseMs);
      pauseMs = job ? FIRST_PAUSE_MS : Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
  };

  return {
    add(name, concurrency, run) {
      kinds.set(name, run);
      limits.set(name, concurrency);
      taking ??= takeAll();
      bell.ring();
    },
    wake(at) {
      const inMs = at ? at.getTime() - Date.now() : 0;
      if (inMs <= 0) bell.ring();
      else if (inMs < LONGEST_PAUSE_MS) setTimeout(() => bell.ring(), inMs).unref();
    },
    async stop(withinMs) {
      stopped = true;
      bell.ring();
      await taking;
      await finished([...inHand.values()], withinMs);
      await renewer.stop();
      if (inHand.size === 0) return;
      logger.warn({ jobs: inHand.size }, 'jobs in hand are taking too long; they will be run again');
      await Promise.all([...inHand.keys()].map(giveBack));
    },
  };
}

async function finished(work: readonly Promise<void>[], withinMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise((resolve) => (timer = setTimeout(resolve, withinMs)));
  await Promise.race([Promise.all(work), late]);
  clearTimeout(timer);
}

/** A pause that ends early when it rings; ringing while nobody listens is heard at the next pause. */
function openBell() {
  let rung = false;
  let end: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      end?.();
    },
    async heard(withinMs: number) {
      if (!rung) {
        let timer: NodeJS.Timeout | undefined;
        await new Promise<void>((resolve) => {
          end = resolve;
          timer = setTimeout(resolve, withinMs);
        });
        clearTimeout(timer);
        end = undefined;
      }
      rung = false;
    },
  };
}
