import { type Environment, readEnvironment } from '@arboleda/chassis/config.ts';
import { z } from 'zod';

export interface TransfersConfig {
  /** Transfers of more than so many dollars need two admins; none does when absent. */
  secondAdminAboveUsd?: number | undefined;
  /** How long evidence is kept after the decision; for good when absent. */
  evidenceRetentionDays?: number | undefined;
}

const shape = {
  TRANSFER_SECOND_ADMIN_ABOVE_USD: z.coerce.number().min(0).max(1_000_000_000).optional(),
  EVIDENCE_RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(1825),
};

/** @throws ConfigError */
export function transfersConfig(env: Environment): TransfersConfig {
  const read = readEnvironment(env, shape);
  return {
    secondAdminAboveUsd: read.TRANSFER_SECOND_ADMIN_ABOVE_USD,
    evidenceRetentionDays: read.EVIDENCE_RETENTION_DAYS || undefined,
  };
}
