/** The engine behind a port, as operators name it. */
export type Engine = 'postgres' | 'mongodb' | 'kafka' | 'minio' | 'files' | 'smtp';

/** Something a process cannot work without. */
export interface Dependency {
  readonly engine: Engine;
  /** @throws when it does not answer */
  check(): Promise<void>;
}
