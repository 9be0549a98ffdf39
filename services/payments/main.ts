import { run } from '@arboleda/chassis/run.ts';
import { paymentsConfig } from './config.ts';
import { startPayments } from './service.ts';

await run(() => startPayments(paymentsConfig(process.env)));
