/** Why a database may not be opened or brought up to date, as a sentence for the operator. */
export class MigrationFault extends Error {
  /** PostgreSQL's code of the cause, by which a deadlock or a lock timeout is repeated. */
  readonly code: string | undefined;

  constructor(sentence: string, options?: { cause: Error & { code?: string } }) {
    super(sentence, options);
    this.name = 'MigrationFault';
    this.code = options?.cause.code;
  }
}
