import { shortId } from '@arboleda/contracts/order.ts';
import { isTrouble, type LogLine } from '../logs.ts';

/**
 * A line for an event that a consumer group handled, or failed to handle. Contents are left out, as logs have none.
 * @param types all when empty
 * @returns undefined for other lines
 */
export function eventText(line: LogLine, types: readonly string[] = []): string | undefined {
  const { time, type = 'unreadable', group, eventId = '', orderId, durationMs, err, msg } = line;
  if (!group || (!line.type && !isTrouble(line))) return undefined;
  if (types.length > 0 && !types.includes(type)) return undefined;
  const result = isTrouble(line)
    ? `! ${group}: ${[msg, err?.message].filter(Boolean).join(', ')}`
    : `${group} ${durationMs} ms`;
  const order = orderId ? `order ${shortId(orderId)}` : '';
  return `${time.slice(11, 23)}  ${type.padEnd(26)}  ${order.padEnd(12)}  ${eventId}  → ${result}`;
}
