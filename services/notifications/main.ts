import { run } from '@arboleda/chassis/run.ts';
import { notificationsConfig } from './config.ts';
import { startNotifications } from './service.ts';

await run(() => startNotifications(notificationsConfig(process.env)));
