import type { Call } from './calls.ts';

/** One answer, or that there was none. */
export interface Seen {
  /** 0: the connection broke, or nothing came in time. */
  status: number;
  ms: number;
  retryAfter: boolean;
  /** Why there was none. */
  failure?: string | undefined;
}

const PAUSE_MS = 150;
/** Tolerance beyond the deadline. */
const PATIENCE_MS = 5_000;

export async function once({ make, withinMs }: Call): Promise<Seen> {
  const startedAt = performance.now();
  const ms = () => performance.now() - startedAt;
  try {
    const response = await make(AbortSignal.timeout(withinMs + PATIENCE_MS));
    await response.arrayBuffer();
    return { status: response.status, ms: ms(), retryAfter: response.headers.has('retry-after') };
  } catch (error) {
    return { status: 0, ms: ms(), retryAfter: false, failure: String((error as Error).cause ?? error) };
  }
}

/** Makes a kind of call one after the other until told to stop; the last one is waited for. */
export function watch(call: Call): { stop(): Promise<Seen[]> } {
  const seen: Seen[] = [];
  let isOver = false;
  const going = (async () => {
    while (!isOver) {
      seen.push(await once(call));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  })();
  return {
    async stop() {
      isOver = true;
      await going;
      return seen;
    },
  };
}

export const isServed = ({ status }: Seen): boolean => status >= 200 && status < 300;

/** Checks an answer during a fault; undefined for success or a clear refusal in time. */
export function faultOf(call: Call, seen: Seen, isServable: boolean): string | undefined {
  const said = `${call.name} answered ${seen.status || seen.failure} after ${(seen.ms / 1000).toFixed(1)} s`;
  if (seen.status === 0) return said;
  if (seen.ms > call.withinMs) return `${said}: too late`;
  if (isServed(seen)) return undefined;
  if (isServable) return `${said}, and needs nothing that is away`;
  if (seen.status !== 503) return said;
  return seen.retryAfter ? undefined : `${said} without Retry-After`;
}
