import { pino } from 'pino';
import { openMongo } from '../adapters/mongodb/client.ts';
import { openMongoJobs } from '../adapters/mongodb/jobs/jobs.ts';
import { JOB_RETRIES } from '../retry.ts';

// A process to be killed: takes a job of the service named and never lets go of it.
const logger = pino({ level: 'silent' });
const jobs = openMongoJobs({
  mongo: openMongo(String(process.env.MONGODB_URL), logger),
  service: String(process.env.SERVICE),
  retries: JOB_RETRIES,
  logger,
  leaseMs: Number(process.env.LEASE_MS),
});
await jobs.handle('carve', () => {
  process.stdout.write('holding\n');
  return new Promise<void>(() => undefined);
});
