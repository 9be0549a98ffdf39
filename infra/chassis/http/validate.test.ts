import { email, password, trees } from '@arboleda/contracts/fields.ts';
import { Problem } from '@arboleda/contracts/problems.ts';
import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { validate } from './validate.ts';

const schema = z.object({
  email,
  password,
  trees,
  kind: z.enum(['grove', 'patch']),
  name: z.string().trim().min(1).max(5),
  address: z.object({ city: z.string() }),
  tags: z.array(z.string()).max(2),
  agreed: z.literal(true),
  website: z.url().optional(),
});
const right = {
  email: 'ana@example.com',
  password: 'long enough',
  trees: 3,
  kind: 'grove',
  name: 'Ana',
  address: { city: 'Cali' },
  tags: [],
  agreed: true,
};

function faults(value: unknown): string[][] {
  try {
    validate(schema, value);
  } catch (error) {
    if (error instanceof Problem && error.type === 'validation-failed') {
      return error.fields.map(({ path, type }) => [path, type]);
    }
    throw error;
  }
  return [];
}

describe('a value', () => {
  test('that is right is handed on as the schema makes it', () => {
    expect(validate(schema, { ...right, email: ' Ana@Example.COM ', more: 1 })).toEqual(right);
  });

  test.each([
    ['email', undefined, 'required'],
    ['email', null, 'required'],
    ['email', '', 'required'],
    ['email', 'ana', 'invalid-email'],
    ['email', 7, 'invalid'],
    ['email', `${'a'.repeat(250)}@b.co`, 'too-long'],
    ['password', 'short', 'too-short'],
    ['password', '', 'required'],
    ['trees', undefined, 'required'],
    ['trees', '', 'required'],
    ['trees', '3', 'invalid'],
    ['trees', 0, 'too-small'],
    ['trees', -1, 'too-small'],
    ['trees', 1.5, 'not-an-integer'],
    ['trees', 1e9, 'too-big'],
    ['trees', 1e300, 'too-big'],
    ['trees', Number.NaN, 'invalid'],
    ['kind', 'forest', 'unknown-value'],
    ['kind', undefined, 'required'],
    ['name', '   ', 'required'],
    ['name', 'Alejandra', 'too-long'],
    ['tags', ['a', 'b', 'c'], 'too-big'],
    ['tags', 'a', 'invalid'],
    ['agreed', false, 'unknown-value'],
    ['website', 'not a url', 'invalid'],
  ])('of %s that is %j is %s', (field, value, type) => {
    expect(faults({ ...right, [field]: value })).toEqual([[field, type]]);
  });

  test('deep inside is named with its path', () => {
    expect(faults({ ...right, address: {}, tags: ['a', 7] })).toEqual([
      ['address.city', 'required'],
      ['tags.1', 'invalid'],
    ]);
  });

  test('that is no object at all is invalid', () => {
    expect(faults('text')).toEqual([['', 'invalid']]);
    expect(faults(undefined)).toEqual([['', 'required']]);
  });

  test('with ten thousand faults is not answered one by one', () => {
    const many = z.array(z.string());
    try {
      validate(
        many,
        Array.from({ length: 10_000 }, () => 7),
      );
    } catch (error) {
      expect((error as Problem).fields).toHaveLength(50);
    }
    expect.assertions(1);
  });
});
