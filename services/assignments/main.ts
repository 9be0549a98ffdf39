import { run } from '@arboleda/chassis/run.ts';
import { assignmentsConfig } from './config.ts';
import { startAssignments } from './service.ts';

await run(() => startAssignments(assignmentsConfig(process.env)));
