import type { ArboledaEvent, NewEvent } from '@arboleda/contracts/events/index.ts';
import { currentContext } from '../context.ts';
import { toEnvelope } from '../events/envelope.ts';

/**
 * @param sequence version of the aggregate after the write. @throws ZodError when an event does not match its
 * contract
 */
export const toEvents = (
  events: readonly NewEvent[] = [],
  sequence = 0,
  now: Date = new Date(),
): ArboledaEvent[] => events.map((event) => toEnvelope(event, sequence, now, currentContext()));
