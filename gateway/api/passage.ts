import type { Replica } from '@arboleda/chassis/http/replicas.ts';
import type { Problem } from '@arboleda/contracts/problems.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { Exchange } from '../exchange.ts';
import type { Revalidation } from './cache/revalidation.ts';
import type { Route } from './routes.ts';

/** A call on its way to a service. */
export interface Passage {
  exchange: Exchange;
  route: Route;
  /** What its service is told of it; see caller/headers.ts. */
  headers: IncomingHttpHeaders;
  /** Where its answer may be held here. */
  revalidation?: Revalidation | undefined;
  /** Its body, where that is short and whole; null of one that has none. */
  body?: Buffer | null;
  /** What it waits for next must have come by then. */
  deadline: NodeJS.Timeout;
  onAnswer: (() => void) | undefined;
  /** Whose turn it is, and who had one before. */
  replica: Replica;
  tried: Replica[];
  /** Set once there is a connection. */
  upstream?: Connection | undefined;
  wasAnswered: boolean;
}

/** What a call was given to reach its replica by. */
export interface Connection {
  /** Whether it had served another call before. */
  wasReused: boolean;
  /** Ends it with whatever is still under way on it. */
  cut(): void;
}

/** A way to have a replica answer. It hands the answer to the caller, and says what becomes of the call. */
export interface Carrier {
  carry(passage: Passage): void;
  close(): void;
}

/** What a carrier says, and what it is to do. */
export interface Course {
  /** There is a connection. @returns whether the call is still to be made */
  connected(passage: Passage, connection: Connection): boolean;
  /** An answer begins. @returns whether it is to be handed to the caller */
  answered(passage: Passage, status: number, headers: IncomingHttpHeaders): boolean;
  /** There is no answer, or no end of it. */
  failed(passage: Passage, error: NodeJS.ErrnoException): void;
  /** It cannot be made, for a reason that is the caller's. */
  refuse(passage: Passage, problem: Problem): void;
}
