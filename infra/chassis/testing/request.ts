import { methodOf, pathOf } from '@arboleda/contracts/endpoint.ts';
import type { Endpoints } from '@arboleda/contracts/endpoints/index.ts';

export interface RequestParts {
  params?: Record<string, string>;
  query?: Record<string, string | number>;
  /** Sent as JSON. Any value: tests also send invalid ones. */
  body?: unknown;
  /** A multipart body, instead of `body`. */
  form?: FormData;
  /** A raw body, instead of `body`. */
  raw?: string | Uint8Array;
  token?: string;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON (problems too); bytes for anything else; undefined when empty. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- expectations look into it in every direction
  body: any;
}

/** Calls an endpoint over the network. Never throws for an error status. */
export async function request(
  baseUrl: string,
  key: keyof Endpoints,
  parts: RequestParts = {},
): Promise<Answer> {
  const path = pathOf(key).replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(parts.params?.[name] ?? ''),
  );
  const url = new URL(path, baseUrl);
  for (const [name, value] of Object.entries(parts.query ?? {})) url.searchParams.set(name, String(value));
  const { body, contentType } = bodyOf(parts);
  const headers = new Headers(parts.headers);
  if (contentType && !headers.has('Content-Type')) headers.set('Content-Type', contentType);
  if (parts.token) headers.set('Authorization', `Bearer ${parts.token}`);
  const response = await fetch(url, { method: methodOf(key), headers, body, redirect: 'manual' });
  return { status: response.status, headers: response.headers, body: await readBody(response) };
}

function bodyOf({ body, form, raw }: RequestParts): { body: RequestInit['body']; contentType?: string } {
  if (form) return { body: form };
  if (raw !== undefined) return { body: raw as RequestInit['body'], contentType: 'application/json' };
  if (body !== undefined) return { body: JSON.stringify(body), contentType: 'application/json' };
  return { body: null };
}

async function readBody(response: Response): Promise<unknown> {
  const bytes = Buffer.from(await response.arrayBuffer());
  if (bytes.length === 0) return undefined;
  return /\bjson\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(bytes.toString()) : bytes;
}
