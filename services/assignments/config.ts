import { type Environment, serviceConfig, type ServiceConfig } from '@arboleda/chassis/config.ts';

export interface AssignmentsConfig extends ServiceConfig {
  /** How often waiting orders are tried again when nothing else gave a reason to. */
  retryWaitingMs: number;
  /** How often growth visits are looked at: who is to hear that one is due. */
  serveVisitsMs: number;
}

const RETRY_WAITING_MS = 60_000;
const SERVE_VISITS_MS = 3_600_000;

/** @throws ConfigError naming the variable. */
export const assignmentsConfig = (env: Environment): AssignmentsConfig => ({
  ...serviceConfig(env, 'assignments'),
  retryWaitingMs: RETRY_WAITING_MS,
  serveVisitsMs: SERVE_VISITS_MS,
});
