import type { z } from 'zod';
import type { ProblemType } from './problems.ts';
import type { Role } from './roles.ts';
import type { Caller, ServiceName } from './services.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type EndpointKey = `${Method} /${string}`;

/** Who may call: anyone, these services (each with a token by its own key), or people of these roles. */
export type Access = 'public' | ForServices | readonly Role[];
export interface ForServices {
  services: readonly Caller[];
}

export const isForServices = (access: Access): access is ForServices =>
  typeof access === 'object' && 'services' in access;

/** The people who may call; none where anyone or only services may. */
export const rolesOf = (access: Access): readonly Role[] =>
  access === 'public' || isForServices(access) ? [] : access;

/** The most one upload may weigh, all of it together, bytes: a service holds it in memory while it reads it. */
export const MAX_UPLOAD_BYTES = 60_000_000;

/** Files of a multipart body: at most `maxCount` of `maxBytes` each, and MAX_UPLOAD_BYTES together. */
export interface Upload {
  field: string;
  maxCount: number;
  maxBytes: number;
  /** What a file that weighs more is refused with; `photo-too-large` when not set. */
  tooLarge?: ProblemType;
  /** A file that weighs more does not refuse the others: the handler gets it without bytes, as `isTooLarge`. */
  perFile?: true;
}

/**
 * One declaration of a call. From it come the gateway's route, the service's validation and authorisation,
 * the OpenAPI page and the web's typed client.
 */
export interface Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  service: ServiceName;
  summary: string;
  access: Access;
  params?: Params;
  query?: Query;
  /** JSON, or the text fields of a multipart body when `upload` is set. */
  body?: Body;
  upload?: Upload;
  /** The handler gets the body's bytes as they came: for signatures. */
  rawBody?: true;
  /** The most the body may weigh, bytes; 100 kB when not set. */
  maxBodyBytes?: number;
  /** JSON answer; absent with `binary`. */
  response?: Response;
  /** The answer leads on to a page: the handler gives its address. */
  redirect?: true;
  /** The media type of an answer that is not JSON; several when the caller may choose by Accept. */
  binary?: string | readonly string[];
  /**
   * The answer is a stream of server-sent events, each with JSON of this shape. It is open for minutes and may end at
   * any time: whoever listens asks anew, and reads again what it is about.
   */
  stream?: z.ZodType;
  /**
   * How long an answer may be kept, seconds, by the caller or by anybody; never when not set. `vary`: the request headers
   * that it was chosen by.
   */
  cache?: { seconds: number; by: 'caller' | 'anybody'; vary?: readonly string[] };
  /** The version of what is answered, from the answer: sent as ETag, to be handed back as If-Match. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  etag?: (answer: any) => string;
  /** 200 when not set. */
  status?: 201 | 202 | 204;
  problems?: readonly ProblemType[];
  /** Calls allowed from one address; the gateway's general limit when not set. */
  limit?: { max: number; windowSeconds: number };
  /** Taken however busy everybody is: what it tells is lost, or late for long, when it is refused. */
  neverShed?: true;
  /** Machines call it, wherever they are; pages of other sites may call nothing else that changes something. */
  fromAnywhere?: true;
  /** Understands the Idempotency-Key header. */
  idempotent?: true;
}

const DEFAULT_MAX_BODY_BYTES = 100_000;
/** Boundaries, part headers and text fields around the files of an upload. */
const MULTIPART_BYTES = 100_000;

/** The most that the body of a call may weigh, bytes: the gateway and the services refuse a heavier one. */
export const maxBodyBytesOf = ({ upload, maxBodyBytes }: Pick<Endpoint, 'upload' | 'maxBodyBytes'>): number =>
  upload
    ? Math.min(upload.maxCount * upload.maxBytes + MULTIPART_BYTES, MAX_UPLOAD_BYTES)
    : (maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES);

/** Paths that only services call; the gateway does not know them. */
export const isInternal = (path: string): boolean => path.startsWith('/internal/');

/** Keeps an endpoint's own types (its schemas, who may call it, whether it takes files) while checking that it is one. */
export const endpoint = <const Declared extends Endpoint>(declared: Declared): Declared => declared;

export const methodOf = (key: string): Method => key.slice(0, key.indexOf(' ')) as Method;
export const pathOf = (key: string): string => key.slice(key.indexOf(' ') + 1);

/** Static paths before those with parameters, so that `/orders/manage` wins over `/orders/{id}`. */
export const bySpecificity = (a: string, b: string): number =>
  (a.match(/\{/g)?.length ?? 0) - (b.match(/\{/g)?.length ?? 0) || a.localeCompare(b);
