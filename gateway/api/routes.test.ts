import { endpoint } from '@arboleda/contracts/endpoint.ts';
import { ENDPOINTS } from '@arboleda/contracts/endpoints/index.ts';
import { expect, test } from '@jest/globals';
import { MAX_UPLOAD_BYTES, routeTable } from './routes.ts';

const plain = (service: 'orders' | 'payments') =>
  endpoint({ service, summary: 'for tests', access: 'public' as const });
const find = routeTable({
  'GET /api/orders/{id}': plain('orders'),
  'PUT /api/orders/{token}': plain('payments'),
  'GET /api/orders/manage': plain('payments'),
  'GET /internal/orders/{id}': plain('orders'),
  'POST /api/orders/{id}/photos': {
    ...plain('orders'),
    upload: { field: 'photos', maxCount: 10, maxBytes: 15_000_000 },
  },
});
const routeOf = (method: string, path: string) => {
  const match = find(method, path);
  return match.kind === 'route' ? match.route : undefined;
};

test('a static path wins over one with a parameter', () => {
  expect(routeOf('GET', '/api/orders/manage')?.service).toBe('payments');
  expect(routeOf('GET', '/api/orders/a1')?.service).toBe('orders');
});

test('methods of one path may belong to different services, whatever they call its parameter', () => {
  expect(routeOf('PUT', '/api/orders/a1')?.service).toBe('payments');
  expect(find('POST', '/api/orders/a1')).toEqual({ kind: 'wrong-method', allow: 'GET, HEAD, PUT' });
});

test('a parameter is one whole segment, and never empty', () => {
  expect(find('GET', '/api/orders/')).toEqual({ kind: 'unknown' });
  expect(find('GET', '/api/orders/a/b')).toEqual({ kind: 'unknown' });
  expect(find('GET', '/api/orders')).toEqual({ kind: 'unknown' });
});

test('a placeholder is no address', () => {
  expect(routeOf('GET', '/api/orders/{}')?.key).toBe('GET /api/orders/{id}');
});

test('what services say to each other has no route', () => {
  expect(find('GET', '/internal/orders/a1')).toEqual({ kind: 'unknown' });
  const all = routeTable(ENDPOINTS);
  for (const key of Object.keys(ENDPOINTS)) {
    const [method = '', path = ''] = key.split(' ');
    const match = all(method, path.replace(/\{\w+\}/g, 'x1'));
    expect([key, match.kind]).toEqual([key, path.startsWith('/internal/') ? 'unknown' : 'route']);
  }
});

test('an upload may be as large as its files, up to what a service can hold', () => {
  expect(routeOf('POST', '/api/orders/a1/photos')?.maxBodyBytes).toBe(MAX_UPLOAD_BYTES);
  expect(routeOf('GET', '/api/orders/a1')?.maxBodyBytes).toBe(100_000);
});
