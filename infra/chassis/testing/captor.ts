import { pino } from 'pino';
import { openPlatform } from '../platform.ts';

// A process to be killed: takes events and jobs of the group "captor" and never finishes them.
const platform = await openPlatform(
  {
    databaseUrl: String(process.env.DATABASE_URL),
    objectsDir: '',
    smtpUrl: 'smtp://127.0.0.1:1',
    mailFrom: 'x',
  },
  pino({ level: 'silent' }),
);
const hold = () => {
  process.stdout.write('holding\n');
  return new Promise<void>(() => undefined);
};
await platform.bus.subscribe('captor', { 'payment.failed': hold });
await platform.jobs('captor').handle('carve', hold);
process.stdout.write('ready\n');
