import { run } from '@arboleda/chassis/run.ts';
import { authConfig } from './config.ts';
import { startAuth } from './service.ts';

await run(() => startAuth(authConfig(process.env)));
