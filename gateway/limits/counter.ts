/** At most so many calls of one caller in a window that begins with the first of them. */
export interface Rule {
  /** What is counted: rules of different names never share a count. */
  name: string;
  max: number;
  windowSeconds: number;
}

export interface Count {
  isAllowed: boolean;
  /** Calls left in this window. */
  remaining: number;
  /** Until the window ends. */
  msLeft: number;
}

/** Where calls are counted: the port behind rate limits. */
export interface CallCounter {
  /** Counts one call of a caller. Never throws, and never holds a call up for long. */
  count(rule: Rule, caller: string): Promise<Count>;
  close(): Promise<void>;
}
