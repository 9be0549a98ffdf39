import config from './jest.config.js';

/** The unit tests of decisions, for `npm run mutation`: nothing that starts an engine or another process. */
const unit = config.projects.find(({ displayName }) => displayName === 'unit');

export default {
  ...unit,
  testMatch: ['<rootDir>/{contracts,services}/**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/test/', '/distributed/'],
};
