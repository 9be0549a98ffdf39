import type { ServiceName } from '@arboleda/contracts/services.ts';

const TIMEOUT_MS = 2_000;

/** Whether every service says it is ready. Calls at the same time share one round of questions. */
export function openReadiness(serviceUrls: Record<ServiceName, string>): () => Promise<boolean> {
  let running: Promise<boolean> | undefined;
  const ask = async () => {
    const answers = Object.values(serviceUrls).map(async (base) => {
      const response = await fetch(new URL('/readyz', base), { signal: AbortSignal.timeout(TIMEOUT_MS) });
      await response.body?.cancel();
      return response.ok;
    });
    return (await Promise.all(answers)).every(Boolean);
  };
  return () => {
    running ??= ask()
      .catch(() => false)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
}
