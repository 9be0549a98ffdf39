import { run } from '@arboleda/chassis/run.ts';
import { pricingConfig } from './config.ts';
import { startPricing } from './service.ts';

await run(() => startPricing(pricingConfig(process.env)));
