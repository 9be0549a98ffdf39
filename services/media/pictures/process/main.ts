import { lowerPriority } from './priority.ts';
import { Socket } from 'node:net';
import { openOriginals } from './originals.ts';
import { type Answer, ORIGINALS_FD, type Question } from './protocol.ts';

// Threads that start from here on are as modest.
lowerPriority();
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
  // When nobody is there to hear it, this process is about to end.
  const reply = (answered: Answer) => process.send?.(answered, undefined, undefined, () => {});
  answer(question).then(
    (value) => reply({ id, value }),
    (error: unknown) => reply({ id, failure: String(error) }),
  );
});
// Whoever started this one is gone, in whatever way.
process.on('disconnect', () => process.exit(0));
