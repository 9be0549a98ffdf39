/* global fetch, URLSearchParams */

/** @returns pairs of Stripe's form encoding: { a: { b: 1 } } → a[b]=1 */
function formPairs(value, prefix = '') {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object') return [[prefix, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) =>
    formPairs(inner, prefix ? `${prefix}[${key}]` : key),
  );
}

/** Calls the API as Stripe.js does. @returns { body } or { error }, never a rejection */
export async function callApi(base, method, path, params) {
  const form = new URLSearchParams(formPairs(params));
  try {
    const response =
      method === 'GET'
        ? await fetch(`${base}/v1${path}?${form}`)
        : await fetch(`${base}/v1${path}`, { method, body: form });
    const body = await response.json();
    return body.error ? { error: body.error } : { body };
  } catch {
    return {
      error: {
        type: 'api_connection_error',
        code: 'api_connection_error',
        message: 'We could not reach the payment service. Check your connection and try again.',
      },
    };
  }
}
