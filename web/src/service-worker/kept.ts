/** A page of a proxy or a failure is nothing to keep: the installation is tried again later. */
export const isKept = (response: Response): boolean => response.status === 200;

/**
 * What is kept answers whoever asks on this phone. The page varies by language and cookie, and a browser that asks
 * without signal in other words than it fetched it with would find nothing.
 */
export function withoutVary(response: Response): Response {
  const headers = new Headers(response.headers);
  // Its length and packing are those of the way here.
  for (const name of ['vary', 'content-encoding', 'content-length']) headers.delete(name);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}
