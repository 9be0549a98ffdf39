import type { z } from 'zod';
import type { AuditAction } from './audit.ts';
import type { Permission } from './permissions.ts';
import type { ProblemType } from './problems.ts';
import type { Role } from './roles.ts';
import type { Caller, ServiceName } from './services.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';
export type EndpointKey = `${Method} /${string}`;

/** Allowed callers: anyone, the named services (each authenticates with its own key), or people with these roles. */
export type Access = 'public' | ForServices | readonly Role[];
export interface ForServices {
  services: readonly Caller[];
}

export const isForServices = (access: Access): access is ForServices =>
  typeof access === 'object' && 'services' in access;

/** Roles that may call; empty for public and service endpoints. */
export const rolesOf = (access: Access): readonly Role[] =>
  access === 'public' || isForServices(access) ? [] : access;

/** Whether admins may call without a permission being declared: a mistake, which no service starts with. */
export const lacksPermission = ({ access, permission }: Pick<Endpoint, 'access' | 'permission'>): boolean =>
  rolesOf(access).includes('admin') && permission === undefined;

/** Whether admins may change something that the audit log has no name for: a mistake, which no service starts with. */
export const lacksAudit = (key: string, { access, audit }: Pick<Endpoint, 'access' | 'audit'>): boolean =>
  rolesOf(access).includes('admin') && methodOf(key) !== 'GET' && audit === undefined;

/** Upper bound of one upload in bytes; a service holds the whole body in memory. */
export const MAX_UPLOAD_BYTES = 60_000_000;

/** Files of a multipart body: at most `maxCount` files of `maxBytes` each, MAX_UPLOAD_BYTES in total. */
export interface Upload {
  field: string;
  maxCount: number;
  maxBytes: number;
  /** Problem returned for a file over the limit; `photo-too-large` by default. */
  tooLarge?: ProblemType;
  /** A file over the limit does not refuse the others: the handler receives it without bytes, marked `isTooLarge`. */
  perFile?: true;
}

/**
 * Declares one call. The gateway's route, the service's validation and authorization, the OpenAPI page and the typed
 * client derive from it.
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
  /** The permission an admin needs; required where admins may call, and of no effect for others. */
  permission?: Permission;
  /** Asks an admin who has a second factor for it again, when it was given longer ago than STEP_UP_SECONDS. */
  stepUp?: true;
  params?: Params;
  query?: Query;
  /** JSON, or the text fields of a multipart body when `upload` is set. */
  body?: Body;
  upload?: Upload;
  /** The handler receives the raw bytes, for signature checks. */
  rawBody?: true;
  /** Upper bound of the body in bytes; 100 kB by default. */
  maxBodyBytes?: number;
  /** JSON answer; absent with `binary`. */
  response?: Response;
  /** Media type of the JSON answer; `application/json` by default. */
  mediaType?: string;
  /** The handler returns an address, sent as a redirect. */
  redirect?: true;
  /** Media type of an answer that is not JSON; several when the Accept header selects one. */
  binary?: string | readonly string[];
  /**
   * The answer is a stream of server-sent events with JSON of this shape. It may end at any time; clients reconnect and
   * reload the resource.
   */
  stream?: z.ZodType;
  /**
   * Cache lifetime in seconds, for the caller's own cache or shared caches; no caching by default. `vary`: request
   * headers that select the answer.
   */
  cache?: { seconds: number; by: 'caller' | 'anybody'; vary?: readonly string[] };
  /** Computes the version sent as ETag and expected as If-Match. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  etag?: (answer: any) => string;
  /** 200 by default. */
  status?: 201 | 202 | 204;
  problems?: readonly ProblemType[];
  /** Rate limit for one address; the gateway's general limit by default. */
  limit?: { max: number; windowSeconds: number };
  /** Exempt from load shedding, because a refusal loses or delays what the caller reports. */
  neverShed?: true;
  /** Machines call it from any origin; other state-changing calls refuse foreign origins. */
  fromAnywhere?: true;
  idempotent?: true;
  /**
   * Its name in the audit log. Every call of admins that changes something has one, and writes a row if it does. A GET
   * with one is a bulk read of personal data: the service writes its row, once an hour for each admin and filter; for an
   * export (`binary`) each time.
   */
  audit?: AuditAction;
}

const DEFAULT_MAX_BODY_BYTES = 100_000;
/** Boundaries, part headers and text fields around the files of an upload. */
const MULTIPART_BYTES = 100_000;

/** Upper bound of a call's body in bytes, enforced by the gateway and the services. */
export const maxBodyBytesOf = ({ upload, maxBodyBytes }: Pick<Endpoint, 'upload' | 'maxBodyBytes'>): number =>
  upload
    ? Math.min(upload.maxCount * upload.maxBytes + MULTIPART_BYTES, MAX_UPLOAD_BYTES)
    : (maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES);

/** Internal paths are not routed by the gateway. */
export const isInternal = (path: string): boolean => path.startsWith('/internal/');

/** Preserves the literal types of a declaration while checking it against Endpoint. */
export const endpoint = <const Declared extends Endpoint>(declared: Declared): Declared => declared;

export const methodOf = (key: string): Method => key.slice(0, key.indexOf(' ')) as Method;
export const pathOf = (key: string): string => key.slice(key.indexOf(' ') + 1);

/** Sorts static paths before parameterized ones, so that `/orders/manage` wins over `/orders/{id}`. */
export const bySpecificity = (a: string, b: string): number =>
  (a.match(/\{/g)?.length ?? 0) - (b.match(/\{/g)?.length ?? 0) || a.localeCompare(b);
