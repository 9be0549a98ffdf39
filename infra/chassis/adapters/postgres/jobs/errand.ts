import type { Context } from '../../../context.ts';

/** A job as it waits to be run. */
export interface Errand {
  payload: Record<string, unknown>;
  /** How many attempts have failed. */
  attempt: number;
  key?: string | undefined;
  context: Context;
}
