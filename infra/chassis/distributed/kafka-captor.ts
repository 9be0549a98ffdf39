import { pino } from 'pino';
import { openKafkaBus } from '../adapters/kafka/bus.ts';

// A process to be killed: takes events of the group "captor" and never lets go of them.
const bus = await openKafkaBus({
  brokers: [String(process.env.KAFKA_BROKERS)],
  ssl: false,
  partitions: 3,
  sessionMs: 2_000,
  logger: pino({ level: 'silent' }),
  retries: { maxAttempts: 3, delaysMs: [20], maxDelayMs: 20 },
});
await bus.subscribe('captor', {
  'payment.failed': () => {
    process.stdout.write('holding\n');
    return new Promise<void>(() => undefined);
  },
});
process.stdout.write('ready\n');
