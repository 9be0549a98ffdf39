import { signAsOperator } from '@arboleda/chassis/http/service-token.ts';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedInstallation } from '../embedded/embedded.ts';
import { writePrivately } from '../embedded/private-file.ts';
import type { Progress } from '../terminal/progress.ts';
import { DEMO_FILE, isAnybodyThere, putAccounts } from './accounts.ts';
import { openClient } from '@arboleda/contracts/client.ts';
import { makeOrders } from './make-orders.ts';
import { DEMO_ORDERS, DEMO_TRANSFERS } from './orders.ts';

/** Progress of a data folder's demo. */
interface State {
  seed: string;
  begunAt: string;
  /** Hash of the accounts' password: they are only updated when it changes. */
  accounts?: string;
  ordersDone?: boolean;
  /** Set for data that was restored from an installation without a demo. */
  isLeftOut?: boolean;
}

type DemoSite = Omit<EmbeddedInstallation, 'close'>;

export interface Demo {
  /** Never rejects: errors are reported as a sentence. */
  done: Promise<void>;
  cancel(): void;
}

/** Creates accounts and orders in the background, once per data folder, through the public API. */
export function makeDemo(local: DemoSite, progress: Progress): Demo {
  const controller = new AbortController();
  const done = make(local, progress, controller.signal).catch((error: unknown) => {
    if (controller.signal.aborted) return;
    progress.say(
      `  The demo data is not complete: ${(error as Error).message}\n` +
        '  The site works without it; the next start tries again.',
    );
  });
  return { done, cancel: () => controller.abort() };
}

async function make(local: DemoSite, progress: Progress, signal: AbortSignal): Promise<void> {
  if (!local.isDemo) return;
  const file = join(local.dataDir, DEMO_FILE);
  const state: State = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as State) : beginning();
  if (state.isLeftOut) return;
  const keep = (change: Partial<State>) => writePrivately(file, JSON.stringify(Object.assign(state, change)));
  const auth = openClient(local.env.AUTH_URL!, { signal });
  if (state.accounts !== undefined && !(await isAnybodyThere(auth, local.demoPassword))) {
    // The database is not the one that the state was saved for.
    Object.assign(state, beginning(), { accounts: undefined, ordersDone: undefined });
  }
  await keep({});

  const accounts = createHash('sha256').update(`${state.seed}:${local.demoPassword}`).digest('hex');
  if (state.accounts !== accounts) {
    const token = await signAsOperator(local.env.OPERATOR_SERVICE_KEY!, 'auth');
    await putAccounts(auth, local.demoPassword, token);
    await keep({ accounts });
  }
  // The demo never charges real cards.
  if (state.ordersDone || !local.sandboxUrl) return;
  progress.say('  Demo orders are being made; the site can be used meanwhile …');
  const site = {
    url: local.gatewayUrl,
    stripeApiUrl: local.sandboxUrl,
    stripePublishableKey: local.env.STRIPE_PUBLISHABLE_KEY!,
  };
  const demo = { password: local.demoPassword, seed: state.seed, begunAt: new Date(state.begunAt) };
  await makeOrders(site, demo, signal);
  await keep({ ordersDone: true });
  progress.say(
    `  ${DEMO_ORDERS.length + DEMO_TRANSFERS.length} demo orders are there, in every status; one is a bank transfer that waits for the admin.`,
  );
}

const beginning = (): State => ({ seed: randomUUID(), begunAt: new Date().toISOString() });
