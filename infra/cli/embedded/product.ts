import { assignmentsConfig } from '@arboleda/assignments/config.ts';
import { startAssignments } from '@arboleda/assignments/service.ts';
import { authConfig } from '@arboleda/auth/config.ts';
import { startAuth } from '@arboleda/auth/service.ts';
import { type Environment, serviceConfig } from '@arboleda/chassis/config.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import { isProduction } from '@arboleda/chassis/production.ts';
import type { Overrides, RunningService } from '@arboleda/chassis/service.ts';
import { openRecentTraces } from '@arboleda/chassis/telemetry/recent.ts';
import { isTraced, setTracing } from '@arboleda/chassis/telemetry/trace.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import { gatewayConfig } from '@arboleda/gateway/config.ts';
import { watchRoom } from '@arboleda/gateway/room.ts';
import { startGateway } from '@arboleda/gateway/service.ts';
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
import { dirname } from 'node:path';
import { serviceEnvironment } from './environment.ts';

type Start = (env: Environment, overrides: Overrides) => Promise<RunningService>;

const STARTS: Record<ServiceName, Start> = {
  auth: (env, overrides) => startAuth(authConfig(env), overrides),
  pricing: (env, overrides) => startPricing(pricingConfig(env), overrides),
  payments: (env, overrides) => startPayments(paymentsConfig(env), overrides),
  orders: (env, overrides) => startOrders(ordersConfig(env), overrides),
  assignments: (env, overrides) => startAssignments(assignmentsConfig(env), overrides),
  media: (env, overrides) => startMedia(mediaConfig(env), overrides),
  notifications: (env, overrides) => startNotifications(notificationsConfig(env), overrides),
};

/** Starts all services and the gateway in this process, on one shared platform. If one fails, all are stopped. */
export async function startProduct(env: Environment, logger: Logger): Promise<{ close(): Promise<void> }> {
  await using closing = new AsyncDisposableStack();
  const recentTraces = isProduction(env) || isTraced() ? undefined : openRecentTraces();
  if (recentTraces) {
    setTracing(recentTraces);
    closing.defer(() => setTracing(undefined));
  }
  const { platform: config } = serviceConfig(serviceEnvironment(env, 'orders'), 'orders');
  const platform = await openPlatform(config, logger, { isAlone: true });
  closing.defer(() => platform.close());
  const services = await Promise.all(
    Object.entries(STARTS).map(([name, start]) =>
      start(serviceEnvironment(env, name as ServiceName), { platform, logger }),
    ),
  );
  closing.defer(async () => void (await Promise.all(services.map((service) => service.close()))));
  const room = await watchRoom(dirname(env.OBJECTS_DIR!));
  closing.defer(() => room.close());
  const gateway = await startGateway(gatewayConfig(env), { logger, room, recentTraces });
  closing.defer(() => gateway.close());
  const kept = closing.move();
  return { close: () => kept.disposeAsync() };
}
