import { sandboxConfig } from './config.ts';
import { startStripeSandbox } from './service.ts';

try {
  const sandbox = await startStripeSandbox(sandboxConfig(process.env));
  console.log(`Stripe sandbox: api ${sandbox.apiUrl}, script ${sandbox.scriptUrl}`);
  let stopping = false;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stopping) process.exit(1);
      stopping = true;
      void sandbox.close().then(() => process.exit(0));
    });
  }
} catch (error) {
  console.error(`Stripe sandbox did not start: ${(error as Error).message}`);
  process.exit(1);
}
