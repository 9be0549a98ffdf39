/** Something that takes orders. */
export interface Contestant {
  name: string;
  /** Fewer where each takes long: a rate needs no more. */
  share: number;
  /** Takes that many, by so many clients at once. @returns seconds until all are stored */
  take(orders: number, clients: number): Promise<number>;
  stop(): Promise<void>;
}

/** So many clients, each with its next order when the last one is done. @returns seconds */
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
