import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type FilledScreenData, openFilledScreenData } from '../screens/filled.ts';
import { findingsOf } from '../screens/findings.ts';
import { SCREENS } from '../screens/list.ts';
import { isThere } from '../screens/visit.ts';
import { useSetup } from './setup.ts';

jest.setTimeout(1_200_000);

/** One more than small machines have processors: a page also waits. */
const AT_ONCE = 3;

/** For its browser: screens show a product that is filled for them. */
const setup = useSetup();
let world: FilledScreenData;
const findings = new Map<string, string[]>();

/** All are looked at first, side by side; then each is judged. */
beforeAll(async () => {
  world = await openFilledScreenData();
  const waiting = SCREENS.filter((screen) => isThere(screen, world));
  const lookThrough = async () => {
    for (let screen = waiting.shift(); screen; screen = waiting.shift())
      findings.set(screen.name, await findingsOf(setup.browser, world, screen));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lookThrough));
});
afterAll(() => world?.close());

describe('in both languages, wide and narrow, light and dark, nothing keeps anybody from', () => {
  test.each(SCREENS.map(({ name }) => name))('%s', (name) => {
    expect(findings.get(name)).toEqual([]);
  });
});
