import type { Change } from '../records.ts';
import type { Dependency } from './engine.ts';

export { type Change, UniqueViolation } from '../records.ts';

export interface Document {
  _id: string;
}

type Scalar = string | number | boolean;
export type Condition =
  | Scalar
  | {
      in?: readonly Scalar[];
      gte?: Scalar;
      gt?: Scalar;
      lte?: Scalar;
      lt?: Scalar;
      exists?: boolean;
      /** Of a field that is a list of strings: it holds all of these. None asked for is no condition. */
      all?: readonly string[];
    };
/**
 * Fields (dots reach into objects, not into lists) and what they must be; all must hold. Values of one kind are compared
 * with each other only: numbers by size, strings by their bytes.
 */
export type Where = Record<string, Condition>;

export interface Query {
  where?: Where;
  /** In order of weight. Add `_id` last for a stable order. Documents without the field count as less than all others. */
  sort?: readonly { field: string; direction: 'asc' | 'desc' }[];
  /** Continue behind this document: the values of the `sort` fields, in their order. All documents must have these. */
  after?: readonly Scalar[];
  limit?: number;
  /** Fields, without dots, that the documents found shall not carry: large ones that nobody reads cost most of their way. */
  without?: readonly string[];
}

export type Index = FieldsIndex | ListIndex;

export interface FieldsIndex {
  name: string;
  fields: Record<string, 'asc' | 'desc'>;
  /** On one field only. Documents without it are not held against each other. */
  unique?: boolean;
}

/** Finds documents by what a field that is a list of strings holds: serves `all`. */
export interface ListIndex {
  name: string;
  list: string;
  /** Short fields of one value each: found by words, documents are counted and narrowed down by these without being read. */
  by?: readonly string[];
  /** How documents of common words are asked for most: fields of `by`, all of which all documents have, and `_id`. */
  order?: Record<string, 'asc' | 'desc'>;
}

/**
 * Serves `count`, `countBy`, `sum` and `figuresBy` that ask by some of these fields alone, however many documents there are.
 * Answers are the same with or without it: an engine that cannot keep it with every write counts documents.
 */
export interface Tally {
  name: string;
  /** Of few and short values each; conditions and groups may be by any of them. The first is that by which most is asked. */
  by: readonly string[];
  /** Numbers. */
  sums?: readonly string[];
}

export interface CollectionDefinition {
  name: string;
  indexes: readonly Index[];
  tallies?: readonly Tally[];
}

export interface ChangeOptions {
  /** Of the event whose effect it is, at most once. */
  eventId?: string;
  /** Mostly there is no such document. */
  isNew?: boolean;
  /**
   * What causes it is kept until it is done, and causes it again if a crash of the engine has lost it: an engine that keeps the cause as
   * well does not wait for its disk, and never keeps what came later without it. So it is of events; a job may say it.
   */
  comesAgain?: boolean;
}

/** How far is counted. */
export interface Bound {
  /**
   * Counting may stop at so many documents, whichever they are: figures that make up as many or more are the least that there
   * are, others are exact. Who wants to know whether there are more than a thousand asks for 1,001.
   */
  atMost?: number;
}

export interface Figures<F extends string = string> {
  count: number;
  /** 0 of what none of them has. */
  sums: Record<F, number>;
}

/**
 * Documents of one kind. State, outgoing events and jobs, and the consumed event's id are one write
 * (compare-and-set on an internal version); what a crash left unpublished is published by a sweeper.
 */
export interface Collection<T extends Document> {
  get(id: string): Promise<T | undefined>;
  find(query: Query): Promise<T[]>;
  count(where?: Where, bound?: Bound): Promise<number>;
  /** How many documents there are for each value of a field; those without it are not counted. */
  countBy(field: string, where?: Where, bound?: Bound): Promise<Record<string, number>>;
  /** The sum of a numeric field; 0 when there is none. */
  sum(field: string, where?: Where): Promise<number>;
  /** How many there are, and sums of numeric fields, for each value of the field `by`; documents without that are not counted. */
  figuresBy<F extends string>(
    by: string,
    summed: readonly F[],
    where?: Where,
  ): Promise<Record<string, Figures<F>>>;
  /**
   * Reads, decides, writes; decides anew when somebody else wrote between. `decide` is pure and may run more than
   * once; undefined means nothing is to be changed (but the event counts as consumed, if there is a document to
   * remember it). With `eventId` a second delivery of the same event changes nothing. With `isNew` it is first decided on
   * as if there was none, which saves reading what mostly is not there. What is the effect of an event, or of something else that
   * `comesAgain`, need not be on the disk yet when this resolves, only before anything that is: see `ChangeOptions`.
   * @returns the document as it now is; undefined when there is none.
   * @throws what `decide` throws; UniqueViolation when a unique index refuses.
   */
  change(
    id: string,
    decide: (current: T | undefined) => Change<T> | undefined,
    options?: ChangeOptions,
  ): Promise<T | undefined>;
}

export interface Documents extends Dependency {
  /** Creates the collection, its indexes and tallies when they are not there. */
  collection<T extends Document>(definition: CollectionDefinition): Promise<Collection<T>>;
  /** Age of the oldest event or job that was decided and not handed over yet; 0 when there is none. */
  outboxAgeMs(): Promise<number>;
  close(): Promise<void>;
}
