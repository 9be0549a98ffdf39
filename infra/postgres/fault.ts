/** Why PostgreSQL does not run, as one sentence for the person at the terminal. */
export class PostgresFault extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'PostgresFault';
  }
}
