import { type Environment, serviceConfig, type ServiceConfig } from '@arboleda/chassis/config.ts';

export interface AssignmentsConfig extends ServiceConfig {
  /** Interval of the job that retries waiting orders. */
  retryWaitingMs: number;
  /** Interval of the job that notifies of due growth visits. */
  serveVisitsMs: number;
}

const RETRY_WAITING_MS = 60_000;
const SERVE_VISITS_MS = 3_600_000;

/** @throws ConfigError naming the variable */
export const assignmentsConfig = (env: Environment): AssignmentsConfig => ({
  ...serviceConfig(env, 'assignments'),
  retryWaitingMs: RETRY_WAITING_MS,
  serveVisitsMs: SERVE_VISITS_MS,
});
