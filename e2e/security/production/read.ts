import { assignmentsConfig } from '@arboleda/assignments/config.ts';
import { authConfig } from '@arboleda/auth/config.ts';
import type { Environment } from '@arboleda/chassis/environment.ts';
import { gatewayConfig } from '@arboleda/gateway/config.ts';
import { mediaConfig } from '@arboleda/media/config.ts';
import { notificationsConfig } from '@arboleda/notifications/config.ts';
import { ordersConfig } from '@arboleda/orders/config.ts';
import { paymentsConfig } from '@arboleda/payments/config.ts';
import { pricingConfig } from '@arboleda/pricing/config.ts';
import type { ProcessName } from './weak.ts';

/** How each process reads its environment. */
export const READ: Record<ProcessName, (env: Environment) => unknown> = {
  gateway: gatewayConfig,
  auth: authConfig,
  pricing: pricingConfig,
  payments: paymentsConfig,
  orders: ordersConfig,
  assignments: assignmentsConfig,
  media: mediaConfig,
  notifications: notificationsConfig,
};
