import { type EndpointKey, methodOf } from '@arboleda/contracts/endpoint.ts';
import { fillPath, realParameters } from '../../api/objects.ts';
import type { Target } from '../frame/target.ts';

/** The right length and alphabet, and yet nobody's. */
export const scrambled = (text: string): string =>
  text.replace(/[a-z0-9](?=[\w-]*)/gi, (character) =>
    /\d/.test(character) ? String((Number(character) + 7) % 10) : character === 'a' ? 'b' : 'a',
  );

/** @returns the status, and the slug of a problem */
export async function send(
  { filled }: Target,
  key: EndpointKey,
  parts: { token?: string | undefined; body?: unknown; parameters?: Record<string, string> },
): Promise<{ status: number; type: string | undefined }> {
  const { token, body, parameters = realParameters(key, filled.objects) } = parts;
  const leaving = new AbortController();
  const isForm = body instanceof FormData;
  const response = await fetch(filled.product.url + fillPath(key, parameters), {
    method: methodOf(key),
    signal: leaving.signal,
    body: body === undefined || isForm ? (body ?? null) : JSON.stringify(body),
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && !isForm && { 'Content-Type': 'application/json' }),
    },
  });
  const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
  const type = isProblem ? ((await response.json()) as { type: string }).type : undefined;
  // A stream would go on.
  leaving.abort();
  return { status: response.status, type };
}
