import { Problem, PROBLEMS, type ProblemType } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { problemBody, toProblem } from './problem.ts';

describe('a refusal', () => {
  test.each(Object.keys(PROBLEMS) as ProblemType[])('%s has words in both languages', (type) => {
    const english = problemBody(new Problem(type), 'en', 'visit-1');
    const spanish = problemBody(new Problem(type), 'es', 'visit-1');
    expect(english).toEqual({
      type,
      title: PROBLEMS[type].en,
      error: PROBLEMS[type].en,
      message: PROBLEMS[type].en,
      status: PROBLEMS[type].status,
      correlationId: 'visit-1',
    });
    expect(spanish.title).toBe(PROBLEMS[type].es);
    expect(spanish.title).not.toBe(english.title);
  });

  test('names each field, with words for problems of fields and of files', () => {
    const problem = new Problem('photo-damaged', {
      fields: [
        { path: 'photos.1', type: 'photo-damaged' },
        { path: 'name', type: 'required' },
      ],
      detail: 'for us alone',
      cause: new Error('libjpeg'),
    });
    const body = problemBody(problem, 'es', 'visit-1');
    expect(body.errors).toEqual([
      { path: 'photos.1', type: 'photo-damaged', message: 'Esta foto está dañada. Tómala de nuevo.' },
      { path: 'name', type: 'required', message: 'Completa este campo.' },
    ]);
    expect(JSON.stringify(body)).not.toMatch(/for us alone|libjpeg/);
  });
});

describe('what breaks becomes a refusal', () => {
  test.each([
    ['a refusal itself', new Problem('conflict'), 'conflict'],
    ['a body that is no JSON', { type: 'entity.parse.failed', status: 400 }, 'malformed-json'],
    ['a body that is too large', { type: 'entity.too.large', status: 413 }, 'body-too-large'],
    ['an unknown charset', { type: 'charset.unsupported', status: 415 }, 'unsupported-media-type'],
    [
      'a caller’s mistake of any other kind',
      { type: 'request.size.invalid', status: 400 },
      'malformed-request',
    ],
    ['a path that cannot be decoded', new URIError('%zz'), 'not-found'],
    ['a dependency that is down', Object.assign(new Error(), { code: 'ECONNREFUSED' }), 'unavailable'],
    ['a database that shuts down', Object.assign(new Error(), { code: '57P01' }), 'unavailable'],
    ['a pool that is exhausted', new Error('timeout exceeded when trying to connect'), 'unavailable'],
    ['a mistake in our code', new TypeError('x is not a function'), 'internal'],
    ['a row that breaks a rule', Object.assign(new Error(), { code: '23505' }), 'internal'],
    ['nothing', undefined, 'internal'],
    ['text', 'oops', 'internal'],
  ])('%s', (_name, thrown, type) => {
    expect(toProblem(thrown).type).toBe(type);
  });
});
