import config from './jest.config.js';

/** The unit tests of decisions, for `npm run mutation`: nothing that starts an engine or another process. */
const unit = config.projects.find(({ displayName }) => displayName === 'unit');

export default {
  ...unit,
  testMatch: ['<rootDir>/{contracts,services}/**/*.test.ts'],
  // Slow suites that test no decision would run for every mutant that is executed on import.
  testPathIgnorePatterns: [
    '/node_modules/',
    '/test/',
    '/distributed/',
    '/(?:document|documents|figures|read|pictures|card)/',
    'statements/(?:any-order|demo|link)',
    'transfers/evidence.test.ts',
    'contracts/openapi.test.ts',
  ],
};
