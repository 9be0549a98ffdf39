import { type Environment, readEnvironment } from '@arboleda/chassis/config.ts';
import { z } from 'zod';

/** For how many days payments keeps what it needs only for a while. */
export interface RetentionConfig {
  webhookDays: number;
  idempotencyDays: number;
  abandonedDays: number;
}

/** Stripe sends a webhook again, lists an event and is asked about an open payment for thirty days. */
const LEAST_DAYS = 31;
const days = z.coerce.number().int().max(36_500);

const shape = {
  WEBHOOK_RETENTION_DAYS: days.min(LEAST_DAYS).default(90),
  IDEMPOTENCY_RETENTION_DAYS: days.min(1).default(30),
  ABANDONED_PAYMENT_RETENTION_DAYS: days.min(LEAST_DAYS).default(90),
};

/** @throws ConfigError */
export function retentionConfig(env: Environment): RetentionConfig {
  const read = readEnvironment(env, shape);
  return {
    webhookDays: read.WEBHOOK_RETENTION_DAYS,
    idempotencyDays: read.IDEMPOTENCY_RETENTION_DAYS,
    abandonedDays: read.ABANDONED_PAYMENT_RETENTION_DAYS,
  };
}
