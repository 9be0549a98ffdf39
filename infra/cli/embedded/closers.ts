export interface Closers {
  onClose(close: () => Promise<void>): void;
  /** Closes in reverse order, even after a failure. @throws the first failure, at the end */
  close(): Promise<void>;
}

/** Collects what has to be closed. */
export function openClosers(): Closers {
  const closers: (() => Promise<void>)[] = [];
  return {
    onClose: (close) => void closers.push(close),
    async close() {
      const failures: unknown[] = [];
      for (const close of closers.splice(0).reverse()) {
        await close().catch((error: unknown) => void failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
  };
}
