import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import { openClient, Refused, requestOf } from './client.ts';
import { endpoint, type Endpoint, isInternal, methodOf, pathOf } from './endpoint.ts';
import { ENDPOINTS } from './endpoints/index.ts';
import { exampleOf } from './example.ts';
import { openApiDocument } from './openapi.ts';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- a document is looked into in every direction
const documentOf = (endpoints: Parameters<typeof openApiDocument>[0]): any =>
  openApiDocument(endpoints, { serverUrl: 'https://arboleda.example' });

const real = documentOf(ENDPOINTS);

describe('the OpenAPI document', () => {
  test('has every public call and no internal one', () => {
    for (const key of Object.keys(ENDPOINTS)) {
      const operation = real.paths[pathOf(key)]?.[methodOf(key).toLowerCase()];
      expect([key, operation === undefined]).toEqual([key, isInternal(pathOf(key))]);
    }
  });

  test('has a unique name for each operation', () => {
    const names = Object.values(real.paths).flatMap((path) =>
      Object.values(path as Record<string, { operationId: string }>).map(({ operationId }) => operationId),
    );
    expect(new Set(names).size).toBe(names.length);
  });

  test('declares each parameter of a path', () => {
    for (const [path, methods] of Object.entries(real.paths)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      for (const { parameters = [] } of Object.values(
        methods as Record<string, { parameters?: { name: string; in: string }[] }>,
      )) {
        expect(parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(names);
      }
    }
  });

  test('states who may call, and the refusal of others', () => {
    const { security, responses } = real.paths['/api/admin/orders/manage'].get;
    expect(security).toEqual([{ admin: [] }]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '401', '403', '422']));
    expect(real.components.securitySchemes.admin).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(real.paths['/api/stats'].get.security).toEqual([]);
  });

  test('states the permission of admins, and where they are asked for their second factor again', () => {
    const refund = real.paths['/api/admin/payments/{id}/refunds'].post;
    expect(refund).toMatchObject({ 'x-permission': 'refunds:write', 'x-step-up': true });
    expect(refund.description).toContain('Admins need the permission `refunds:write`.');
    expect(refund.responses['403'].description).toContain('`step-up-required`');
    const list = real.paths['/api/admin/orders/manage'].get;
    expect(list['x-permission']).toBe('orders:read');
    expect(list).not.toHaveProperty('x-step-up');
  });

  test('describes uploads as multipart with a repeated file', () => {
    const { content } = real.paths['/api/workers/assignments/{id}/photos'].post.requestBody;
    expect(content['multipart/form-data'].schema.properties.photos).toMatchObject({
      type: 'array',
      maxItems: 10,
      items: { format: 'binary' },
    });
  });

  test('says which text fields of a form are JSON', () => {
    const fieldsOf = (path: string) =>
      real.paths[path].post.requestBody.content['multipart/form-data'].schema.properties;
    expect(fieldsOf('/api/manual-payments/create-order').gift.description).toMatch(/^JSON: /);
    expect(fieldsOf('/api/workers/assignments/{id}/photos').details.description).toMatch(/^JSON: /);
    expect(fieldsOf('/api/workers/growth-visits/{id}/photos').details.description).toMatch(/^JSON: /);
  });

  test('states optional bodies and the format of an email', () => {
    const bodyOf = (path: string) => real.paths[path].post.requestBody;
    expect(bodyOf('/api/admin/manual-payments/verify/{id}').required).toBe(false);
    expect(bodyOf('/api/admin/manual-payments/reject/{id}').required).toBe(true);
    const logIn = bodyOf('/api/auth/customer/register').content['application/json'].schema;
    expect(logIn.properties.email).toMatchObject({ type: 'string', format: 'email' });
  });

  test('names the headers of calls and answers', () => {
    const headersOf = (operation: { parameters: { in: string; name: string }[] }) =>
      operation.parameters.filter((one) => one.in === 'header').map(({ name }) => name);
    expect(headersOf(real.paths['/api/admin/orders/{id}'].put)).toEqual(['If-Match']);
    expect(headersOf(real.paths['/api/payments/stripe-webhook'].post)).toEqual(['Stripe-Signature']);
    const photo = real.paths['/api/photos/{filename}'].get;
    expect(headersOf(photo)).toEqual(['If-None-Match', 'Range']);
    expect(Object.keys(photo.responses)).toEqual(expect.arrayContaining(['200', '206', '304']));
    expect(photo.responses['200'].headers).toHaveProperty('ETag');
    expect(photo.responses['429'].headers).toHaveProperty('RateLimit-Remaining');
    expect(photo.responses['503'].headers).toHaveProperty('Retry-After');
  });

  test('uses no character classes, which some readers do not know', () => {
    expect(JSON.stringify(real)).not.toMatch(/\\\\p\{/i);
  });

  test('describes a photo as bytes', () => {
    expect(real.paths['/api/photos/{filename}'].get.responses['200'].content).toHaveProperty(['image/jpeg']);
  });

  test('describes input as callers send it and output as they receive it', () => {
    const document = documentOf({
      'POST /api/echo/{id}': endpoint({
        service: 'orders',
        summary: 'Echo',
        access: ['admin', 'worker'],
        params: z.object({ id: z.string() }),
        query: z.object({ limit: z.coerce.number().int().min(1).default(25), cursor: z.string().optional() }),
        body: z.object({ text: z.string().max(5).default('hi') }),
        response: z.object({ text: z.string().default('hi') }),
        status: 201,
        problems: ['conflict'],
        idempotent: true,
      }),
    });
    const { post } = document.paths['/api/echo/{id}'];
    expect(post.security).toEqual([{ admin: [] }, { worker: [] }]);
    expect(
      post.parameters.map((one: { name: string; required: boolean }) => [one.name, one.required]),
    ).toEqual([
      ['id', true],
      ['limit', false],
      ['cursor', false],
      ['Idempotency-Key', false],
    ]);
    expect(post.requestBody.content['application/json'].schema.required).toBeUndefined();
    expect(post.responses['201'].content['application/json'].schema.required).toEqual(['text']);
    expect(post.responses['409'].description).toContain('`conflict`');
    expect(post.responses['422'].content).toHaveProperty(['application/problem+json']);
  });
});

const DECLARED = (Object.entries(ENDPOINTS) as [string, Endpoint][]).filter(
  ([key]) => !isInternal(pathOf(key)),
);

const exampleIn = (schema: z.ZodType, io: 'input' | 'output') =>
  exampleOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>);

describe('every example matches its schema', () => {
  test.each(DECLARED.flatMap(([key, { body }]) => (body ? [[key, body] as const] : [])))(
    'sent with %s',
    (_key, body) => {
      expect(body.safeParse(exampleIn(body, 'input')).error).toBeUndefined();
    },
  );

  test.each(DECLARED.flatMap(([key, { response }]) => (response ? [[key, response] as const] : [])))(
    'answered by %s',
    (_key, response) => {
      expect(response.safeParse(exampleIn(response, 'output')).error).toBeUndefined();
    },
  );

  test.each(
    DECLARED.flatMap(
      ([key, { params, query }]) =>
        [
          [key, params],
          [key, query],
        ].filter(([, one]) => one) as [string, z.ZodType][],
    ),
  )('in the address of %s', (_key, part) => {
    expect(part.safeParse(exampleIn(part, 'input')).error).toBeUndefined();
  });
});

test('an example for the field name is used if the schema accepts it, else the simplest', () => {
  expect(exampleOf({ type: 'string', maxLength: 5 }, 'name')).toBe('text');
  expect(exampleOf({ type: 'integer', minimum: 10, maximum: 20 }, 'trees')).toBe(10);
  expect(exampleOf({ type: 'string', examples: ['own'] }, 'name')).toBe('own');
  expect(exampleOf({ type: 'array', items: { type: 'boolean' } }, 'any')).toEqual([true]);
});

describe('client', () => {
  const TOKEN = 'Zk3vX1qTz8mYw2LpQe7R9a';

  afterEach(() => void jest.restoreAllMocks());

  /** A client whose product answers with the given response. */
  function clientOf(answer: (path: string) => Response) {
    jest.spyOn(globalThis, 'fetch').mockImplementation(async (url) => answer(new URL(String(url)).pathname));
    return openClient('https://arboleda.test');
  }

  describe('a request', () => {
    test('has encoded parameters in the path and an encoded query', () => {
      const { url, init } = requestOf('GET /api/admin/orders/manage', {
        token: 'abc',
        query: { q: 'ana & co', status: undefined, limit: 5 },
      });
      expect([init.method, url]).toEqual(['GET', '/api/admin/orders/manage?q=ana+%26+co&limit=5']);
      expect(init.headers).toEqual({ Authorization: 'Bearer abc' });
      expect(requestOf('GET /api/track/{token}', { params: { token: 'a/b c' } }).url).toBe(
        '/api/track/a%2Fb%20c',
      );
    });

    test('carries the expected version and the idempotency key', () => {
      const { init } = requestOf('PUT /api/admin/orders/{id}', {
        params: { id: '65f0c0ffee65f0c0ff9f3c1a' },
        body: { trees: 6 },
        ifMatch: '3',
        idempotencyKey: 'key-0001',
        language: 'es',
      });
      expect(init.headers).toEqual({
        'Accept-Language': 'es',
        'Content-Type': 'application/json',
        'Idempotency-Key': 'key-0001',
        'If-Match': '"3"',
      });
      expect(init.body).toBe('{"trees":6}');
    });

    test('leaves the content type of a form to fetch', () => {
      const { init } = requestOf('POST /api/manual-payments/create-order', { body: new FormData() });
      expect(init.headers).toEqual({});
      expect(init.body).toBeInstanceOf(FormData);
    });
  });

  describe('an answer', () => {
    test('is JSON, or a file', async () => {
      const call = clientOf((path) =>
        path.startsWith('/api/photos/')
          ? new Response('bytes', { headers: { 'Content-Type': 'image/jpeg' } })
          : Response.json({ treesPlanted: 7 }),
      );
      expect(await call('GET /api/stats')).toEqual({ treesPlanted: 7 });
      const photo = await call('GET /api/photos/{filename}', { params: { filename: `${TOKEN}.jpg` } });
      expect(await photo.text()).toBe('bytes');
    });

    test('is a refusal that names its problem, even from a proxy', async () => {
      const call = clientOf((path) =>
        path === '/api/stats'
          ? new Response('<html>', { status: 502 })
          : Response.json({ type: 'not-found', status: 404 }, { status: 404 }),
      );
      const refusal = await call('GET /api/track/{token}', { params: { token: TOKEN } }).catch(
        (error) => error,
      );
      expect(refusal).toBeInstanceOf(Refused);
      expect([refusal.status, refusal.problem.type]).toEqual([404, 'not-found']);
      expect(await call('GET /api/stats').catch((error) => [error.status, error.problem])).toEqual([
        502,
        undefined,
      ]);
    });

    test('is a stream of messages, however it is chunked', async () => {
      const sent = 'retry: 2000\n\n:\n\nevent: changed\ndata: {"orderId":"a"}\n\ndata: {"orderId":"ñ"}\n\n';
      const bytes = new TextEncoder().encode(sent);
      const pieces = new ReadableStream({
        start(controller) {
          for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.subarray(at, at + 7));
          controller.close();
        },
      });
      const call = clientOf(
        () => new Response(pieces, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' } }),
      );
      const received = [];
      for await (const message of await call('GET /api/track/{token}/events', { params: { token: TOKEN } })) {
        received.push(message);
      }
      expect(received).toEqual([
        { event: 'changed', data: { orderId: 'a' } },
        { event: 'message', data: { orderId: 'ñ' } },
      ]);
    });
  });
});
