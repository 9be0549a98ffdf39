import { openGenerator } from './generator.ts';
import type { Asked, Answered } from './protocol.ts';

/** The load comes from a process of its own, so that what it costs is told apart from what the product costs. */
const generator = openGenerator();

process.on('message', ({ id, ...asked }: Asked & { id: number }) => {
  const reply = (answered: Answered) => process.send?.({ id, answered });
  generator.answer(asked).then(
    (value) => reply({ value }),
    (error: unknown) => reply({ failure: String((error as Error).stack ?? error) }),
  );
});
process.on('disconnect', () => process.exit(0));
