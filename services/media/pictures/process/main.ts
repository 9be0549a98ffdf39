import { readdirSync } from 'node:fs';
import { Socket } from 'node:net';
import { constants, getPriority, setPriority } from 'node:os';
import { type Answer, openOriginals, ORIGINALS_FD, type Question } from './protocol.ts';

const THREADS = '/proc/self/task';

// Before sharp starts its threads, which inherit the priority.
lowerPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const { boundSharp, decode } = await import('../variants.ts');
type Decoded = Awaited<ReturnType<typeof decode>>;

boundSharp();
const photos = new Map<number, Decoded>();
const nextOriginal = openOriginals(new Socket({ fd: ORIGINALS_FD, readable: true, writable: false }));

async function answer(question: Question): Promise<unknown> {
  const { photo } = question;
  switch (question.do) {
    case 'decode': {
      const decoded = await decode(await nextOriginal(question.sizeBytes));
      photos.set(photo, decoded);
      return decoded.widths;
    }
    case 'encode':
      return photos.get(photo)!.encode(question.nominalWidth, question.format);
    case 'release':
      photos.get(photo)?.release();
      return void photos.delete(photo);
  }
}

process.on('message', (question: Question) => {
  const { id } = question;
  // If the parent has ended, this process is about to end too.
  const reply = (answered: Answer) => process.send?.(answered, undefined, undefined, () => {});
  answer(question).then(
    (value) => reply({ id, value }),
    (error: unknown) => reply({ id, failure: String(error) }),
  );
});
process.on('disconnect', () => process.exit(0));

/** Lowers the priority of all threads, where the system supports it. */
function lowerPriority(priority: number): void {
  // Linux has a priority per thread.
  for (const thread of threads()) {
    // Keeps a lower priority: only root may raise it.
    if (getPriority(thread) < priority) setPriority(thread, priority);
  }
}

function threads(): number[] {
  try {
    return readdirSync(THREADS).map(Number);
  } catch {
    return [process.pid];
  }
}
