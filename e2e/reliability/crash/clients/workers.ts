import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Line, withComment } from './line.ts';
import { persist } from './persist.ts';

const AT_ONCE = 20;
const PLACE = { latitude: 4.6462, longitude: -75.5861, accuracyMetres: 12 };

/** Who plants whatever is assigned, takes a photo of most of it and completes it. */
export interface Field {
  /** Resolves when nothing is assigned any more. */
  finish(): Promise<void>;
}

/** All workers begin at once. */
export function openField(line: Line): Field {
  let isClosing = false;
  const works = line.tokens.workers.map(async (token) => {
    for (;;) {
      const wasClosing = isClosing;
      const found = await work(line, token).catch((error: unknown) => {
        line.told.complaints.push(`a worker: ${(error as Error).message}`);
        return 1;
      });
      if (wasClosing && found === 0) return;
      if (found === 0) await sleep(300);
    }
  });
  return {
    async finish() {
      isClosing = true;
      await Promise.all(works);
    },
  };
}

/** One look at the list. @returns how many assignments there were to do */
async function work(line: Line, token: string): Promise<number> {
  const { assignments } = await persist('assignments', (signal) =>
    line.api('GET /api/workers/assignments', {
      token,
      signal,
      query: { status: 'assigned', limit: AT_ONCE },
    }),
  );
  for (const { _id: id, orderId } of assignments) {
    await step(line, token, { id, orderId, status: 'planted' });
    // By the order's own id, so that the share is the same in every run.
    const luck = orderId.charCodeAt(orderId.length - 1) % 4;
    if (luck > 0) await photograph(line, token, { id, orderId });
    if (luck !== 1) await step(line, token, { id, orderId, status: 'completed' });
  }
  return assignments.length;
}

interface Assigned {
  id: string;
  orderId: string;
}

async function step(
  { api, told }: Line,
  token: string,
  { id, orderId, status }: Assigned & { status: 'planted' | 'completed' },
): Promise<void> {
  const idempotencyKey = randomUUID();
  await persist(`${status}`, (signal) =>
    api('PUT /api/workers/assignments/{id}/status', {
      ...{ token, params: { id }, idempotencyKey, signal },
      body: { status, ...(status === 'planted' && { location: 'Salento, Quindío', coordinates: PLACE }) },
    }),
  );
  told.steps.push({ orderId, status });
}

async function photograph(
  { api, told, files }: Line,
  token: string,
  { id, orderId }: Assigned,
): Promise<void> {
  const clientId = randomUUID();
  const bytes = withComment(files.photo, clientId);
  const { photos } = await persist('a photo', (signal) => {
    const body = new FormData();
    body.append('photos', new Blob([bytes], { type: 'image/jpeg' }), 'siembra.jpg');
    body.append('details', JSON.stringify([{ clientId }]));
    return api('POST /api/workers/assignments/{id}/photos', { token, params: { id }, body, signal });
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  for (const { filename } of photos) told.photos.push({ filename, orderId, sha256 });
}
