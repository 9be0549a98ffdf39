import { refusedPassword } from './connect-retry.ts';
import type { Logger } from './log.ts';

/** The answer of /readyz. */
export interface Readiness {
  ready: boolean;
  /**
   * Engines that do not answer or refuse the password; `migration` for data that this version may not open, `start`
   * while the service starts, `stop` while it stops.
   */
  waitingFor: string[];
  /** A sentence that says what an operator has to do. */
  reason?: string | undefined;
}

export interface Needed {
  engine: string;
  check(): Promise<void>;
}

const ANSWER_WITHIN_MS = 3_000;
/** The gateway, the container engine and people probe at the same time. */
const SHARED_FOR_MS = 500;

type Answer = Pick<Readiness, 'waitingFor' | 'reason'>;

/** Checks all added dependencies at once. Calls within 500 ms share a result. @param service named in reasons */
export function openReadinessCheck(
  logger: Logger,
  service: string,
): { add(needed: Needed): void; ask(): Promise<Answer> } {
  const needs: Needed[] = [];
  /** Failures of the last check: only changes are logged. */
  let silent = new Map<string, unknown>();
  let shared: { askedAt: number; answer: Promise<Answer> } | undefined;
  const ask = async (): Promise<Answer> => {
    const before = silent;
    const now = new Map<string, unknown>();
    await Promise.all(
      needs.map(({ engine, check }) =>
        within(ANSWER_WITHIN_MS, check()).catch((error: unknown) => void now.set(engine, error)),
      ),
    );
    silent = now;
    for (const [engine, error] of now) {
      if (!before.has(engine)) logger.warn({ err: error, engine }, `${engine} does not answer`);
    }
    for (const engine of before.keys()) {
      if (!now.has(engine)) logger.info({ engine }, `${engine} answers again`);
    }
    const reasons = [...now].flatMap(([engine, error]) => refusedPassword(service, engine, error) ?? []);
    return { waitingFor: [...now.keys()].sort(), reason: reasons.join(' ') || undefined };
  };
  return {
    add(needed) {
      needs.push(needed);
      shared = undefined;
    },
    ask() {
      const now = performance.now();
      if (!shared || now - shared.askedAt > SHARED_FOR_MS) shared = { askedAt: now, answer: ask() };
      return shared.answer;
    },
  };
}

async function within(timeoutMs: number, work: Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  const timer = setTimeout(() => over.reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  await Promise.race([work, over.promise]).finally(() => clearTimeout(timer));
}
