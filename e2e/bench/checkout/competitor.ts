/** Something that takes orders. */
export interface Competitor {
  name: string;
  /** Fewer where each takes long: a rate needs no more. */
  share: number;
  /** Orders before the first round, by so many that what it does often is compiled. */
  warmsUpBy?: number;
  /** Takes that many, by so many clients at once. Resolves when nothing is left to do for them. */
  take(orders: number, clients: number): Promise<Taken>;
  stop(): Promise<void>;
}

export interface Taken {
  /** Seconds until all are stored; of a single client without what it did itself in between. */
  stored: number;
  /** Includes the confirmation, where there is one. */
  confirmed?: number;
  /** Until nothing is left to do for them, where more is done than to store them. */
  done?: number;
}

/** Each client starts its next order when the last one is done. @returns seconds */
export async function byClients(
  orders: number,
  clients: number,
  buy: () => Promise<unknown>,
): Promise<number> {
  let left = orders;
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: Math.min(clients, orders) }, async () => {
      while (left-- > 0) await buy();
    }),
  );
  return (performance.now() - startedAt) / 1000;
}
