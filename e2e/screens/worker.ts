import { type Area, failing, loading, press } from './screen.ts';

const ASSIGNMENTS = '**/api/workers/assignments*';

export const WORKER: Area = [
  { name: 'worker-log-in', path: '/worker-portal' },
  { name: 'worker-assignments', as: 'worker', path: '/worker-portal' },
  { name: 'worker-assignments-long', as: 'longWorker', path: '/worker-portal' },
  { name: 'worker-assignments-none', as: 'idleWorker', path: '/worker-portal' },
  { name: 'worker-second', as: 'worker2', path: '/worker-portal' },
  {
    name: 'worker-plant',
    as: 'longWorker',
    path: '/worker-portal',
    prepare: press('worker:assignment.markPlanted'),
  },
  {
    name: 'worker-offline',
    as: 'worker',
    path: '/worker-portal',
    prepare: async (page, _data, say) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.context().setOffline(true);
      await page.getByText(say('worker:offline.title')).first().waitFor();
    },
  },
  {
    name: 'worker-photo-refused',
    as: 'longWorker',
    path: '/worker-portal',
    prepare: async (page, _data, say) => {
      const file = { name: 'IMG_1.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('no photo') };
      await page.locator('input[type=file][multiple]').first().setInputFiles(file);
      await page.locator('summary').filter({ hasText: '33' }).click();
      await page.getByText(say('worker:photos.refused')).first().waitFor();
    },
  },
  { name: 'worker-assignments-failed', as: 'worker', path: '/worker-portal', ...failing(ASSIGNMENTS) },
  { name: 'worker-assignments-loading', as: 'worker', path: '/worker-portal', ...loading(ASSIGNMENTS) },
];
