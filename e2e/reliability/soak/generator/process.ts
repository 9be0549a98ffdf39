import { openGenerator } from './generator.ts';
import type { Asked, Answered } from './protocol.ts';

/** Runs the load in its own process, so that its cost can be separated from the product's. */
const generator = openGenerator();

process.on('message', ({ id, ...asked }: Asked & { id: number }) => {
  const reply = (answered: Answered) => process.send?.({ id, answered });
  generator.answer(asked).then(
    (value) => reply({ value }),
    (error: unknown) => reply({ failure: String((error as Error).stack ?? error) }),
  );
});
process.on('disconnect', () => process.exit(0));
