import type { Api } from '@arboleda/contracts/api.ts';
import type { Endpoint, ForServices } from '@arboleda/contracts/endpoint.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Person } from './identity.ts';
import type { UploadedFile } from './upload.ts';

type Parsed<T> = T extends z.ZodType ? (unknown extends z.output<T> ? undefined : z.output<T>) : undefined;

/** A call after it was checked: who it is from, and its validated parts. */
export interface Call<E> {
  params: E extends Endpoint<infer P, infer _Q, infer _B, infer _R> ? Parsed<P> : never;
  query: E extends Endpoint<infer _P, infer Q, infer _B, infer _R> ? Parsed<Q> : never;
  body: E extends Endpoint<infer _P, infer _Q, infer B, infer _R> ? Parsed<B> : never;
  /** There for calls that only some roles may make. */
  person: E extends { access: 'public' | ForServices } ? undefined : Person;
  files: UploadedFile[];
  /** The bytes as they came, for endpoints with `rawBody`. */
  rawBody: Buffer;
  language: Language;
  idempotencyKey: string | undefined;
  /** The version that the caller decided on (If-Match), without quotes. */
  ifMatch: string | undefined;
  /** The address of the person's machine, as the gateway saw it. */
  address: string;
  headers: IncomingHttpHeaders;
  /** Aborted when the caller left or the deadline passed. */
  signal: AbortSignal;
}

/** An answer that is not JSON. */
export interface BinaryReply {
  contentType: string;
  /** The bytes; as a function of the part that is asked for (inclusive) they can be had in parts. */
  bytes: NodeJS.ReadableStream | ((part?: { start: number; end: number }) => Promise<NodeJS.ReadableStream>);
  /** Not known of what is made while it is sent. */
  sizeBytes?: number;
  /** Without quotes. */
  etag?: string;
  /** Seconds that any cache may keep it; no cache keeps it when absent. */
  publicSeconds?: number;
  /** Request headers that the answer was chosen by. */
  vary?: string;
  /** To be saved under this name rather than shown. */
  saveAs?: string;
}

/** A message of a stream. */
export interface StreamMessage<Data> {
  /** "message" when absent. */
  event?: string;
  data: Data;
}

type Answer<Key extends keyof Api, E> = E extends { redirect: true }
  ? string
  : E extends { binary: string | readonly string[] }
    ? BinaryReply
    : E extends { stream: infer Data extends z.ZodType }
      ? AsyncIterable<StreamMessage<z.input<Data>>>
      : Api[Key]['response'] extends undefined
        ? void
        : Api[Key]['response'];

export type Handler<Key extends keyof Api> = (
  call: Call<Endpoints[Key]>,
) => Promise<Answer<Key, Endpoints[Key]>>;

/** One handler for each call of a service. Keys are a service's endpoint module's, so that none can be forgotten. */
export type Handlers<Owned> = { [Key in keyof Owned & keyof Api]: Handler<Key> };
