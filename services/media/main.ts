import { run } from '@arboleda/chassis/run.ts';
import { mediaConfig } from './config.ts';
import { startMedia } from './service.ts';

await run(() => startMedia(mediaConfig(process.env)));
