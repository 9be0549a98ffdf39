import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { endpoint, isInternal, methodOf, pathOf } from './endpoint.ts';
import { ENDPOINTS } from './endpoints/index.ts';
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

  test('has one name for each operation', () => {
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

  test('says who may call, and that the others are refused', () => {
    const { security, responses } = real.paths['/api/admin/orders/manage'].get;
    expect(security).toEqual([{ admin: [] }]);
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '401', '403', '422']));
    expect(real.components.securitySchemes.admin).toMatchObject({ type: 'http', scheme: 'bearer' });
    expect(real.paths['/api/stats'].get.security).toBeUndefined();
  });

  test('describes uploads as multipart with a repeated file', () => {
    const { content } = real.paths['/api/workers/assignments/{id}/photos'].post.requestBody;
    expect(content['multipart/form-data'].schema.properties.photos).toMatchObject({
      type: 'array',
      maxItems: 10,
      items: { format: 'binary' },
    });
  });

  test('describes a photo as bytes', () => {
    expect(real.paths['/api/photos/{filename}'].get.responses['200'].content).toHaveProperty(['image/jpeg']);
  });

  test('asks for what a caller sends and promises what a caller gets', () => {
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
