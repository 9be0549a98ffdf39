export interface Closers {
  onClose(close: () => Promise<void>): void;
  /** Last registered first. One that fails does not keep the others open. @throws the first failure, at the end */
  close(): Promise<void>;
}

/** What was opened and has to be closed again. */
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
