import { type Environment, serviceConfig } from '@arboleda/chassis/config.ts';
import type { Logger } from '@arboleda/chassis/log.ts';
import { openPlatform } from '@arboleda/chassis/platform.ts';
import { isProduction } from '@arboleda/chassis/production.ts';
import { openRecentTraces } from '@arboleda/chassis/telemetry/recent.ts';
import { isTraced, setTracing } from '@arboleda/chassis/telemetry/trace.ts';
import { SERVICES } from '@arboleda/contracts/services.ts';
import { gatewayConfig } from '@arboleda/gateway/config.ts';
import { watchRoom } from '@arboleda/gateway/room.ts';
import { startGateway } from '@arboleda/gateway/service.ts';
import { dirname } from 'node:path';
import { serviceEnvironment } from './environment.ts';
import { STARTABLE } from './services.ts';

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
    SERVICES.map((name) => STARTABLE[name].start(serviceEnvironment(env, name), { platform, logger })),
  );
  closing.defer(async () => void (await Promise.all(services.map((service) => service.close()))));
  const room = await watchRoom(dirname(env.OBJECTS_DIR!));
  closing.defer(() => room.close());
  const gateway = await startGateway(gatewayConfig(env), { logger, room, recentTraces });
  closing.defer(() => gateway.close());
  const kept = closing.move();
  return { close: () => kept.disposeAsync() };
}
