/** Pages of proxies and failures are not cached; the installation is retried later. */
export const isCacheable = (response: Response): boolean => response.status === 200;

/** Removes Vary, so that the cached page answers every request on this phone, whatever its language and cookies. */
export function withoutVary(response: Response): Response {
  const headers = new Headers(response.headers);
  // Length and encoding describe the network response.
  for (const name of ['vary', 'content-encoding', 'content-length']) headers.delete(name);
  const { status, statusText } = response;
  return new Response(response.body, { status, statusText, headers });
}
