import { afterEach, beforeEach, jest } from '@jest/globals';

/** The clock stands at a moment in each test of this file or block; timers run as always. */
export function standAt(moment: string): void {
  beforeEach(() => {
    jest.useFakeTimers({
      now: new Date(moment),
      doNotFake: [
        'cancelAnimationFrame',
        'cancelIdleCallback',
        'clearImmediate',
        'clearInterval',
        'clearTimeout',
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'requestAnimationFrame',
        'requestIdleCallback',
        'setImmediate',
        'setInterval',
        'setTimeout',
      ],
    });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
}
