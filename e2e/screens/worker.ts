import { answering, type Area, untilItFailed } from './screen.ts';

const ASSIGNMENTS = '**/api/workers/assignments*';

export const WORKER: Area = [
  { name: 'worker-log-in', path: '/worker-portal' },
  { name: 'worker-assignments', as: 'worker', path: '/worker-portal' },
  { name: 'worker-assignments-long', as: 'longWorker', path: '/worker-portal' },
  { name: 'worker-assignments-none', as: 'idleWorker', path: '/worker-portal' },
  {
    name: 'worker-assignments-failed',
    as: 'worker',
    path: '/worker-portal',
    given: answering({ [ASSIGNMENTS]: 'failed' }),
    prepare: untilItFailed,
  },
  {
    name: 'worker-assignments-loading',
    as: 'worker',
    path: '/worker-portal',
    given: answering({ [ASSIGNMENTS]: 'never' }),
    isLoading: true,
  },
];
