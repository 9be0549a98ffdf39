import type { CallApi } from '@arboleda/contracts/client.ts';
import type { OrderChange } from '@arboleda/contracts/endpoints/orders/live.ts';

/**
 * Listens for changes of an order by its private link until there is one like this.
 * @throws when the stream ends before
 */
export async function hearChange(
  call: CallApi,
  token: string,
  signal: AbortSignal,
  isIt: (change: OrderChange) => boolean,
): Promise<OrderChange> {
  const messages = await call('GET /api/track/{token}/events', { params: { token }, signal });
  for await (const { data } of messages) if (isIt(data)) return data;
  throw new Error('the stream ended before the change was heard');
}
