import { jest } from '@jest/globals';

/**
 * Tests that watch a browser, engines and clocks on two shared cores may fail for want of time. Where nobody sits by (CI) such a
 * test is tried once more, and what needed it is named at the end of the run, with its reason: it is to be looked into, as it
 * may be a race of ours. By hand it fails at once.
 */
if (process.env.CI) jest.retryTimes(1, { retryImmediately: true, logErrorsBeforeRetry: true });
