import { run } from '@arboleda/chassis/run.ts';
import { ordersConfig } from './config.ts';
import { startOrders } from './service.ts';

await run(() => startOrders(ordersConfig(process.env)));
