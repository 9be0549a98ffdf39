import { assignmentsConfig } from '@arboleda/assignments/config.ts';
import { startAssignments } from '@arboleda/assignments/service.ts';
import { authConfig } from '@arboleda/auth/config.ts';
import { startAuth } from '@arboleda/auth/service.ts';
import type { Environment } from '@arboleda/chassis/environment.ts';
import type { Overrides, RunningService } from '@arboleda/chassis/service.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import { mediaConfig } from '@arboleda/media/config.ts';
import { startMedia } from '@arboleda/media/service.ts';
import { notificationsConfig } from '@arboleda/notifications/config.ts';
import { startNotifications } from '@arboleda/notifications/service.ts';
import { ordersConfig } from '@arboleda/orders/config.ts';
import { startOrders } from '@arboleda/orders/service.ts';
import { paymentsConfig } from '@arboleda/payments/config.ts';
import { startPayments } from '@arboleda/payments/service.ts';
import { pricingConfig } from '@arboleda/pricing/config.ts';
import { startPricing } from '@arboleda/pricing/service.ts';

export interface StartableService {
  /** @throws ConfigError that names each variable at fault */
  readConfig(env: Environment): unknown;
  start(env: Environment, overrides: Overrides): Promise<RunningService>;
}

const startable = <Config>(
  readConfig: (env: Environment) => Config,
  start: (config: Config, overrides: Overrides) => Promise<RunningService>,
): StartableService => ({ readConfig, start: (env, overrides) => start(readConfig(env), overrides) });

/** The code of every service. */
export const STARTABLE: Record<ServiceName, StartableService> = {
  auth: startable(authConfig, startAuth),
  pricing: startable(pricingConfig, startPricing),
  payments: startable(paymentsConfig, startPayments),
  orders: startable(ordersConfig, startOrders),
  assignments: startable(assignmentsConfig, startAssignments),
  media: startable(mediaConfig, startMedia),
  notifications: startable(notificationsConfig, startNotifications),
};
