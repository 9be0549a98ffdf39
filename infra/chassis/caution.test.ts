import { expect, test } from '@jest/globals';
import { openCaution } from './caution.ts';
import { gate } from './testing/gate.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));
const LONG_MS = 60_000;

test('what nobody suspects is handled side by side', async () => {
  const caution = openCaution(LONG_MS);
  const [first, second] = [gate(), gate()];
  const begun: string[] = [];
  void caution.together(async () => (begun.push('first'), first.opened));
  void caution.together(async () => (begun.push('second'), second.opened));
  await settled();
  expect(begun).toEqual(['first', 'second']);
  first.open();
  second.open();
});

test('a suspect waits until nothing is in hand, and nothing begins beside it', async () => {
  const caution = openCaution(LONG_MS);
  const [before, suspect, second] = [gate(), gate(), gate()];
  const said: string[] = [];
  void caution.together(async () => before.opened);
  void caution.alone(async (isAlone) => (said.push(`suspect ${isAlone}`), suspect.opened));
  void caution.alone(async (isAlone) => (said.push(`second ${isAlone}`), second.opened));
  void caution.together(async () => void said.push('after'));
  await settled();
  expect(said).toEqual([]);
  before.open();
  await settled();
  expect(said).toEqual(['suspect true']);
  suspect.open();
  await settled();
  expect(said).toEqual(['suspect true', 'second true']);
  second.open();
  await settled();
  expect(said).toEqual(['suspect true', 'second true', 'after']);
});

test('one that fails makes room like one that is done', async () => {
  const caution = openCaution(LONG_MS);
  await expect(caution.alone(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  await expect(caution.together(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  let alone: boolean | undefined;
  await caution.alone(async (isAlone) => void (alone = isAlone));
  expect(alone).toBe(true);
});

test('what does not end holds nobody up for ever, and a suspect beside it is not called alone', async () => {
  const caution = openCaution(20);
  void caution.together(() => new Promise(() => undefined));
  let alone: boolean | undefined;
  await caution.alone(async (isAlone) => void (alone = isAlone));
  expect(alone).toBe(false);

  const other = openCaution(20);
  void other.alone(() => new Promise(() => undefined));
  let begun = false;
  await other.together(async () => void (begun = true));
  expect(begun).toBe(true);
});
