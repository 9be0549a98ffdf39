import { z } from 'zod';
import { id, instant } from '../fields.ts';

/**
 * Fields of every event. `key` is the aggregate whose events stay in order; `sequence` its version; `causationId` the
 * event that caused this one.
 */
export const envelope = z.object({
  id,
  type: z.string(),
  version: z.int().min(1),
  occurredAt: instant,
  key: z.string().min(1).max(128),
  sequence: z.int().min(0),
  correlationId: z.string().max(128),
  causationId: z.string().max(128).optional(),
  /**
   * Trace context of the decision, as in the HTTP header. A malformed value is dropped so that the event is not lost.
   */
  traceparent: z
    .string()
    .regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/)
    .optional()
    .catch(undefined),
});

export interface EventEnvelope<Type extends string = string, Data = unknown> {
  id: string;
  type: Type;
  version: number;
  occurredAt: string;
  key: string;
  sequence: number;
  correlationId: string;
  causationId?: string | undefined;
  traceparent?: string | undefined;
  data: Data;
}
