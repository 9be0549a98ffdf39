import { readArguments } from './arguments.ts';

describe('the chaos command', () => {
  const known = ['crash', 'races'];

  test('runs what is named, and all parts by one word', () => {
    expect(readArguments(['crash', '--short'], known)).toMatchObject({ parts: ['crash'], short: true });
    expect(readArguments(['all'], known).parts).toEqual(known);
  });

  test('writes a report of a long run of everything, or when asked to', () => {
    expect(readArguments(['all'], known).report).toBe(true);
    expect(readArguments(['all', '--short'], known).report).toBe(false);
    expect(readArguments(['crash'], known).report).toBe(false);
    expect(readArguments(['crash', '--report'], known).report).toBe(true);
  });

  test('hands a part its settings', () => {
    expect(readArguments(['crash', '--kills=7', '--only=a=b'], known).settings).toEqual({
      kills: '7',
      only: 'a=b',
    });
  });

  test('says what there is when it does not know a name', () => {
    expect(() => readArguments(['crush'], known)).toThrow(
      'There is no part "crush". There are: crash, races, all.',
    );
    expect(() => readArguments(['--short'], known)).toThrow('Say what to run');
  });
});
