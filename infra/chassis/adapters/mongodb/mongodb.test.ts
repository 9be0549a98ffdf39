import { describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { databaseNamed, isDuplicate, openMongo } from './client.ts';

test.each([
  ['mongodb://localhost:27017', undefined],
  ['mongodb://localhost:27017/', undefined],
  ['mongodb://localhost/?authSource=media', undefined],
  ['mongodb://localhost/trial', 'trial'],
  ['mongodb://user:secret@one:1,two:2/trial?replicaSet=rs0', 'trial'],
  ['mongodb+srv://cluster.example/trial', 'trial'],
])('%s names the database %p', (url, name) => {
  expect(databaseNamed(url)).toBe(name);
});

describe("a service's database", () => {
  test.each([
    ['mongodb://localhost:1', 'media'],
    ['mongodb://localhost:1/trial', 'trial_media'],
  ])('at %s is %s', async (url, name) => {
    const mongo = openMongo(url, pino({ level: 'silent' }));
    expect(mongo.database('media').databaseName).toBe(name);
    await mongo.close();
  });
});

test('recognises a unique index violation', () => {
  expect(isDuplicate(Object.assign(new Error('E11000 duplicate key'), { code: 11_000 }))).toBe(true);
  expect(isDuplicate(new Error("UNIQUE constraint failed: index 'x'"))).toBe(true);
  expect(isDuplicate(Object.assign(new Error('not primary'), { code: 10_107 }))).toBe(false);
  expect(isDuplicate('E11000')).toBe(false);
});
