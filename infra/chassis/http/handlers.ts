import type { Api } from '@arboleda/contracts/api.ts';
import type { Endpoint, ForServices } from '@arboleda/contracts/endpoint.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';
import type { Language } from '@arboleda/contracts/roles.ts';
import type { IncomingHttpHeaders } from 'node:http';
import type { z } from 'zod';
import type { Person } from './identity.ts';
import type { UploadedFile } from './upload.ts';

type Parsed<T> = T extends z.ZodType ? (unknown extends z.output<T> ? undefined : z.output<T>) : undefined;

/** A request after validation. */
export interface Call<E> {
  params: E extends Endpoint<infer P, infer _Q, infer _B, infer _R> ? Parsed<P> : never;
  query: E extends Endpoint<infer _P, infer Q, infer _B, infer _R> ? Parsed<Q> : never;
  body: E extends Endpoint<infer _P, infer _Q, infer B, infer _R> ? Parsed<B> : never;
  /** Set for endpoints that are limited to roles. */
  person: E extends { access: 'public' | ForServices } ? undefined : Person;
  files: UploadedFile[];
  /** The unparsed body, for endpoints with `rawBody`. */
  rawBody: Buffer;
  language: Language;
  idempotencyKey: string | undefined;
  /** The version that the caller decided on (If-Match), without quotes. */
  ifMatch: string | undefined;
  /** The client's IP address, as the gateway saw it. */
  address: string;
  headers: IncomingHttpHeaders;
  /** Aborts when the caller leaves or the deadline passes. */
  signal: AbortSignal;
}

export interface BinaryReply {
  contentType: string;
  /** The bytes. A function of an inclusive range supports range requests. */
  bytes: NodeJS.ReadableStream | ((part?: { start: number; end: number }) => Promise<NodeJS.ReadableStream>);
  /** Unknown for content that is generated while it is sent. */
  sizeBytes?: number;
  /** Without quotes. */
  etag?: string;
  /** How long any cache may keep it, in seconds; not cacheable when absent. */
  publicSeconds?: number;
  /** The value of the Vary header. */
  vary?: string;
  /** Name to save it under; shown in the browser when absent. */
  saveAs?: string;
}

/** A server-sent event. */
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

/** One handler for each endpoint of a service; a missing one is a type error. */
export type Handlers<Owned> = { [Key in keyof Owned & keyof Api]: Handler<Key> };
