import type { Environment } from '@arboleda/chassis/config.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import type { Platform } from '@arboleda/chassis/ports/platform.ts';
import { isProduction } from '@arboleda/chassis/production.ts';
import type { RunningService } from '@arboleda/chassis/service.ts';
import { openRecentTraces } from '@arboleda/chassis/telemetry/recent.ts';
import { isTraced, setTracing } from '@arboleda/chassis/telemetry/trace.ts';
import type { ServiceName } from '@arboleda/contracts/services.ts';
import { watchRoom } from '@arboleda/gateway/room.ts';
import type { RunningGateway } from '@arboleda/gateway/service.ts';
import { dirname } from 'node:path';
import { serviceEnvironment } from './environment.ts';

export interface Product {
  gateway: RunningGateway;
  close(): Promise<void>;
}

type Start = (env: Environment, overrides: { platform: Platform; logger: Logger }) => Promise<RunningService>;

/** Start functions of all services, with their configurations. */
async function loadServices(): Promise<Record<ServiceName, Start>> {
  const [auth, pricing, payments, orders, assignments, media, notifications] = await Promise.all([
    Promise.all([import('@arboleda/auth/service.ts'), import('@arboleda/auth/config.ts')]),
    Promise.all([import('@arboleda/pricing/service.ts'), import('@arboleda/pricing/config.ts')]),
    Promise.all([import('@arboleda/payments/service.ts'), import('@arboleda/payments/config.ts')]),
    Promise.all([import('@arboleda/orders/service.ts'), import('@arboleda/orders/config.ts')]),
    Promise.all([import('@arboleda/assignments/service.ts'), import('@arboleda/assignments/config.ts')]),
    Promise.all([import('@arboleda/media/service.ts'), import('@arboleda/media/config.ts')]),
    Promise.all([import('@arboleda/notifications/service.ts'), import('@arboleda/notifications/config.ts')]),
  ]);
  return {
    auth: (env, overrides) => auth[0].startAuth(auth[1].authConfig(env), overrides),
    pricing: (env, overrides) => pricing[0].startPricing(pricing[1].pricingConfig(env), overrides),
    payments: (env, overrides) => payments[0].startPayments(payments[1].paymentsConfig(env), overrides),
    orders: (env, overrides) => orders[0].startOrders(orders[1].ordersConfig(env), overrides),
    assignments: (env, overrides) =>
      assignments[0].startAssignments(assignments[1].assignmentsConfig(env), overrides),
    media: (env, overrides) => media[0].startMedia(media[1].mediaConfig(env), overrides),
    notifications: (env, overrides) =>
      notifications[0].startNotifications(notifications[1].notificationsConfig(env), overrides),
  };
}

/** Loads the code of all services, while engines start. */
export const loadProduct = async () => {
  const [services, chassis, gateway] = await Promise.all([
    loadServices(),
    Promise.all([import('@arboleda/chassis/platform.ts'), import('@arboleda/chassis/config.ts')]),
    Promise.all([import('@arboleda/gateway/service.ts'), import('@arboleda/gateway/config.ts')]),
  ]);
  return {
    services,
    openPlatform: chassis[0].openPlatform,
    serviceConfig: chassis[1].serviceConfig,
    gateway,
  };
};
type Loaded = Awaited<ReturnType<typeof loadProduct>>;

/** Starts all services and the gateway in this process, on one shared platform. If one fails, all are stopped. */
export async function startProduct(loaded: Loaded, env: Environment, logger: Logger): Promise<Product> {
  await using closing = new AsyncDisposableStack();
  const recentTraces = isProduction(env) || isTraced() ? undefined : openRecentTraces();
  if (recentTraces) {
    setTracing(recentTraces);
    closing.defer(() => setTracing(undefined));
  }
  const platform = await loaded.openPlatform(
    loaded.serviceConfig(serviceEnvironment(env, 'orders'), 'orders').platform,
    logger,
    { isAlone: true },
  );
  closing.defer(() => platform.close());
  const services = await Promise.all(
    Object.entries(loaded.services).map(([name, start]) =>
      start(serviceEnvironment(env, name as ServiceName), { platform, logger }),
    ),
  );
  closing.defer(async () => void (await Promise.all(services.map((service) => service.close()))));
  const [{ startGateway }, { gatewayConfig }] = loaded.gateway;
  const room = await watchRoom(dirname(env.OBJECTS_DIR!));
  closing.defer(() => room.close());
  const gateway = await startGateway(gatewayConfig(env), { logger, room, recentTraces });
  closing.defer(() => gateway.close());
  const kept = closing.move();
  return { gateway, close: () => kept.disposeAsync() };
}
