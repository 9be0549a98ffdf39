import { lookup, Resolver } from 'node:dns/promises';

/** Whether /readyz answers 200 in time. Never throws. */
export async function answersReady(url: string, withinMs: number): Promise<boolean> {
  try {
    const response = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(withinMs) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

const DNS_WITHIN_MS = 1_000;

/**
 * Asks for all addresses of a name: the DNS server first, which blocks no thread; then, when it knows nothing, the way
 * the machine finds names (/etc/hosts, search domains).
 * @throws when neither knows any.
 */
export function openResolver(): (hostname: string) => Promise<string[]> {
  const resolver = new Resolver({ timeout: DNS_WITHIN_MS, tries: 1 });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    return (await lookup(hostname, { all: true })).map(({ address }) => address);
  };
}
