import { expect, test } from '@jest/globals';
import { mediaConfig } from './config.ts';

const env = {
  SERVICE_SECRET: 'x'.repeat(32),
  DATABASE_URL: 'postgresql://localhost/arboleda',
  AUTH_URL: 'http://localhost:1',
  ASSIGNMENTS_URL: 'http://localhost:2',
};

test('media decodes two photos at a time unless it is told otherwise', () => {
  expect(mediaConfig(env).concurrency).toBe(2);
  expect(mediaConfig({ ...env, MEDIA_CONCURRENCY: '6' }).concurrency).toBe(6);
});

test('a photo may be taken 5 km from its order’s place unless it is told otherwise', () => {
  expect(mediaConfig(env).maxDistanceMetres).toBe(5_000);
  expect(mediaConfig({ ...env, PHOTO_MAX_DISTANCE_KM: '0.5' }).maxDistanceMetres).toBe(500);
});

test('a wrong value stops the start with the variable’s name', () => {
  expect(() => mediaConfig({ ...env, MEDIA_CONCURRENCY: '0' })).toThrow(/^MEDIA_CONCURRENCY: /);
  expect(() => mediaConfig({ ...env, ASSIGNMENTS_URL: '' })).toThrow(/^ASSIGNMENTS_URL: /);
  expect(() => mediaConfig({ ...env, PHOTO_MAX_DISTANCE_KM: 'far' })).toThrow(/^PHOTO_MAX_DISTANCE_KM: /);
});
