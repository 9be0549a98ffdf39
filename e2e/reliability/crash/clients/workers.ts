import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Line, withComment } from './line.ts';

const AT_ONCE = 20;
const PLACE = { latitude: 4.6462, longitude: -75.5861, accuracyMetres: 12 };

/** Workers who plant every assignment, photograph most and complete them. */
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
  const { assignments } = await line.driver.call('GET /api/workers/assignments', {
    token,
    query: { status: 'assigned', limit: AT_ONCE },
  });
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
  { driver, told }: Line,
  token: string,
  { id, orderId, status }: Assigned & { status: 'planted' | 'completed' },
): Promise<void> {
  if (status === 'completed') await driver.complete(token, id);
  else await driver.plant(token, id, { location: 'Salento, Quindío', coordinates: PLACE });
  told.steps.push({ orderId, status });
}

async function photograph(
  { driver, told, files }: Line,
  token: string,
  { id, orderId }: Assigned,
): Promise<void> {
  const clientId = randomUUID();
  const buffer = Buffer.from(withComment(files.photo, clientId));
  const photos = await driver.photograph(token, id, [
    { name: 'siembra.jpg', mimeType: 'image/jpeg', buffer, clientId },
  ]);
  const sha256 = createHash('sha256').update(buffer).digest('hex');
  for (const { filename } of photos) told.photos.push({ filename, orderId, sha256 });
}
