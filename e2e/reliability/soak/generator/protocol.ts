import type { Order, Told } from './crowd.ts';

/** One request that was made. */
export interface Made {
  kind: string;
  /** When it was due, ms from the beginning of its phase. */
  at: number;
  /** From when it was due to the last byte of its answer. */
  ms: number;
  status: number;
  /** The answer is one that the kind may get of a product that is not overrun. */
  isExpected: boolean;
  hasRetryAfter: boolean;
  /** Why there was no answer. */
  failure?: string;
}

export interface Phase {
  name: string;
  ratePerSecond: number;
  seconds: number;
  /** Whether buyers wait for their order, and look at it. */
  patient: boolean;
}

export interface PhaseResult {
  made: Made[];
  /** From the card to the order behind its link, ms. */
  visibleMs: number[];
  /** Share of one core while sending. */
  cpuShare: number;
  /** How late requests were sent, ms: the generator's own fault. */
  lateMs: number[];
}

export interface Listened {
  messages: number;
  /** Answers other than 200, and connections that broke. */
  refusals: string[];
}

export type Asked =
  | { do: 'open'; order: Order }
  | { do: 'listen' }
  /** Answered when the last one is sent. */
  | { do: 'phase'; phase: Phase }
  /** Answered when the last one is answered. */
  | { do: 'result'; name: string }
  | { do: 'end' };

export type Answered = { value: unknown } | { failure: string };

/** At the end: what was promised, and what listeners heard. */
export interface Ended {
  told: Told;
  listened: Listened;
}
