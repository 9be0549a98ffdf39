import { run } from '@arboleda/chassis/run.ts';
import { gatewayConfig } from './config.ts';
import { startGateway } from './service.ts';

await run(async () => startGateway(gatewayConfig(process.env)));
