/** Why PostgreSQL does not run, as a sentence for the operator. */
export class PostgresFault extends Error {
  constructor(sentence: string, options?: ErrorOptions) {
    super(sentence, options);
    this.name = 'PostgresFault';
  }
}
