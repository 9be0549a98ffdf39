import { flushCompileCache } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { openKafkaBus } from '../adapters/kafka/bus.ts';
import { openPlatform } from '../platform.ts';

// A process that "poison" events kill at once, whatever else is in progress (see victims.ts). It never finishes
// "captive" events.
const { GROUP = '', DATABASE_URL = '', KAFKA_BROKERS } = process.env;
const AT_WORK_MS = 30;
const logger = pino({ level: 'silent' });

const openOnPostgres = () =>
  openPlatform(
    { databaseUrl: DATABASE_URL, objectsDir: '', smtpUrl: 'smtp://127.0.0.1:1', mailFrom: 'x' },
    logger,
  );
const openOnKafka = (broker: string) =>
  openKafkaBus({
    brokers: [broker],
    ssl: false,
    partitions: 3,
    sessionMs: 2_000,
    logger,
    retries: { maxAttempts: 3, delaysMs: [20, 100], maxDelayMs: 200 },
  });

const bus = KAFKA_BROKERS ? await openOnKafka(KAFKA_BROKERS) : (await openOnPostgres()).bus;
await bus.subscribe(GROUP, {
  'payment.failed': async ({ id, data }) => {
    if (data.reason === 'poison') process.kill(process.pid, 'SIGKILL');
    if (data.reason === 'captive') {
      process.stdout.write('holding\n');
      await new Promise(() => undefined);
    }
    await sleep(AT_WORK_MS);
    process.stdout.write(`handled ${id}\n`);
  },
});
// A killed process writes no cache, so this one does for the next.
flushCompileCache();
process.stdout.write('ready\n');
