import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { waitFor } from './wait.ts';

const VICTIM = fileURLToPath(new URL('./victim.ts', import.meta.url));

/** A process of a group that is restarted whenever it dies, like an orchestrator would. */
export function startVictims(group: string, environment: Record<string, string>) {
  let said = '';
  let deaths = 0;
  let stopped = false;
  let current!: ChildProcess;
  const start = () => {
    current = spawn(process.execPath, ['--disable-warning=TimeoutNegativeWarning', VICTIM], {
      env: { ...process.env, ...environment, GROUP: group },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    current.stdout!.on('data', (chunk) => (said += String(chunk)));
    current.once('exit', () => {
      if (stopped) return;
      deaths++;
      start();
    });
  };
  start();
  return {
    ready: () => waitFor(() => said.includes('ready'), 30_000),
    /** Ids of handled events, over all restarts. */
    handled: () => [...said.matchAll(/^handled (.+)$/gm)].map((match) => match[1]!),
    /** @returns how many died by themselves */
    async stop(): Promise<number> {
      stopped = true;
      const exit = once(current, 'exit');
      current.kill('SIGKILL');
      await exit;
      return deaths;
    },
  };
}
