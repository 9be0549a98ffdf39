import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Endpoint } from './endpoint.ts';
import { brokenCalls, promisedCalls } from './openapi-compatibility.ts';
import { openApiDocument } from './openapi.ts';

const KEY = 'PUT /api/trees/{id}';
const body = z.object({
  status: z.enum(['planted', 'felled']),
  height: z.int().min(0).max(900).optional(),
  notes: z.string().optional(),
});
const response = z.object({
  id: z.string(),
  status: z.enum(['planted', 'felled']),
  at: z.iso.datetime(),
  photos: z.array(z.object({ filename: z.string(), width: z.int().optional() })),
  place: z.string().nullable(),
});
const RELEASED: Endpoint = {
  service: 'orders',
  summary: 'Changes a tree',
  access: ['worker', 'admin'],
  permission: 'orders:read',
  params: z.object({ id: z.string().max(64) }),
  query: z.object({ language: z.enum(['en', 'es']).optional() }),
  body,
  response,
};

const callsOf = (endpoints: Record<string, Endpoint>) =>
  promisedCalls(openApiDocument(endpoints, { serverUrl: 'https://arboleda.example' }));
const changes = (today: Partial<Endpoint>) =>
  brokenCalls(callsOf({ [KEY]: RELEASED }), callsOf({ [KEY]: { ...RELEASED, ...today } }));

describe('is named', () => {
  test.each<[string, Partial<Endpoint>, RegExp]>([
    [
      'a further field that callers must send',
      { body: body.extend({ at: z.string() }) },
      /request\.at: is required now/,
    ],
    [
      'a field that may no longer be absent',
      { body: body.extend({ notes: z.string() }) },
      /request\.notes: is required/,
    ],
    [
      'a field that is no longer taken',
      { body: body.omit({ notes: true }) },
      /request\.notes: the field is gone/,
    ],
    [
      'a value that is no longer taken',
      { body: body.extend({ status: z.enum(['planted']) }) },
      /request\.status: may not be felled/,
    ],
    [
      'a narrower bound of a request',
      { body: body.extend({ height: z.int().min(0).max(90).optional() }) },
      /request\.height: maximum is 90, was 900/,
    ],
    [
      'a bound of a request where there was none',
      { body: body.extend({ notes: z.string().max(10).optional() }) },
      /notes: maxLength is 10, was absent/,
    ],
    [
      'free text that became a choice',
      { body: body.extend({ notes: z.enum(['a']).optional() }) },
      /notes: must be one of a now/,
    ],
    ['refused unknown fields', { body: z.strictObject(body.shape) }, /request: refuses unknown fields/],
    ['a parameter that is gone', { query: undefined }, /query language: the parameter is gone/],
    [
      'a further required parameter',
      { query: z.object({ language: z.enum(['en', 'es']).optional(), year: z.string() }) },
      /query year: is required now/,
    ],
    [
      'a field gone from the answer',
      { response: response.omit({ at: true }) },
      /answer\.at: the field is gone/,
    ],
    [
      'a field of the answer that may be absent',
      { response: response.extend({ at: z.iso.datetime().optional() }) },
      /answer\.at: may be absent now/,
    ],
    [
      'another type in the answer',
      { response: response.extend({ at: z.int() }) },
      /answer\.at: is integer, was string/,
    ],
    [
      'a further value in the answer',
      { response: response.extend({ status: z.enum(['planted', 'felled', 'sold']) }) },
      /answer\.status: may be sold now/,
    ],
    [
      'null in the answer',
      { response: response.extend({ id: z.string().nullable() }) },
      /answer\.id: is string or null, was string/,
    ],
    [
      'a change inside of a list',
      { response: response.extend({ photos: z.array(z.object({ width: z.int().optional() })) }) },
      /answer\.photos\[\]\.filename: the field is gone/,
    ],
    ['another status', { status: 201 }, /no longer answers 200/],
    ['a role that may no longer call', { access: ['admin'] }, /no longer for workers/],
    ['another permission', { permission: 'workers:write' }, /needs the permission workers:write now/],
    ['the second factor', { stepUp: true }, /asks for the second factor now/],
  ])('%s', (_name, today, sentence) => {
    expect(changes(today)).toEqual([expect.stringMatching(sentence)]);
    expect(changes(today)[0]).toMatch(/^PUT \/api\/trees\/\{id\}/);
  });

  test('a call that is gone', () => {
    expect(brokenCalls(callsOf({ [KEY]: RELEASED }), callsOf({}))).toEqual([`${KEY}: the call is gone`]);
  });
});

describe('is allowed', () => {
  test.each<[string, Partial<Endpoint>]>([
    ['nothing new', {}],
    ['a new optional field of the request', { body: body.extend({ at: z.string().optional() }) }],
    ['a field that may be absent now', { body: body.partial() }],
    [
      'a wider request',
      {
        body: body.extend({
          status: z.enum(['planted', 'felled', 'sold']),
          height: z.int().min(0).optional(),
        }),
      },
    ],
    ['a new field of the answer', { response: response.extend({ by: z.string() }) }],
    ['a value that no longer comes', { response: response.extend({ status: z.enum(['planted']) }) }],
    ['null in a request', { body: body.extend({ notes: z.string().nullable().optional() }) }],
    ['no null in the answer any more', { response: response.extend({ place: z.string() }) }],
    ['another text', { summary: 'Alters a tree' }],
    ['a call open to more people', { access: ['worker', 'admin', 'customer'] }],
    ['further refusals', { problems: ['conflict'] }],
  ])('%s', (_name, today) => {
    expect(changes(today)).toEqual([]);
  });

  test('a new call', () => {
    expect(brokenCalls(callsOf({}), callsOf({ [KEY]: RELEASED }))).toEqual([]);
  });
});
