/** One runner for all: each project is a folder of the architecture, with what its tests need. */
const transform = {
  '^.+\\.tsx?$': [
    '@swc/jest',
    {
      jsc: {
        target: 'es2024',
        parser: { syntax: 'typescript', tsx: true, explicitResourceManagement: true },
        transform: { react: { runtime: 'automatic' } },
      },
      module: { type: 'es6' },
    },
  ],
};

const common = {
  transform,
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transformIgnorePatterns: ['/node_modules/'],
  modulePathIgnorePatterns: ['<rootDir>/.data', '<rootDir>/web/dist'],
};

/** Of projects with real parts. */
const real = { ...common, setupFilesAfterEnv: ['<rootDir>/infra/local/checks/second-try.ts'] };

/** Of projects whose files share one running product and one Chromium. */
const stage = {
  ...real,
  globalSetup: '<rootDir>/e2e/browser/global-setup.ts',
  globalTeardown: '<rootDir>/e2e/browser/global-teardown.ts',
};

export default {
  // Engines are real and two cores are shared: a slow machine is no failure.
  testTimeout: 30_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/{contracts,gateway,services,infra,e2e,web/build}/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '/test/', '/distributed/', '<rootDir>/e2e/browser/'],
    },
    {
      ...real,
      displayName: 'component',
      testMatch: ['<rootDir>/{contracts,gateway,services,infra}/**/test/**/*.test.ts'],
      globalSetup: '<rootDir>/infra/chassis/testing/global-setup.ts',
      globalTeardown: '<rootDir>/infra/chassis/testing/global-teardown.ts',
    },
    {
      ...common,
      displayName: 'web',
      testEnvironment: 'jsdom',
      testMatch: ['<rootDir>/web/src/**/*.test.{ts,tsx}'],
      setupFiles: ['<rootDir>/web/src/testing/setup.ts'],
      moduleNameMapper: { '\\.(css|svg|webp|avif|jpg|woff2)(\\?.*)?$': '<rootDir>/web/src/testing/asset.ts' },
    },
    {
      ...stage,
      // One purchase from the landing page to the admin.
      displayName: 'line',
      testMatch: ['<rootDir>/e2e/browser/line.test.ts'],
    },
    {
      ...stage,
      displayName: 'browser',
      testMatch: ['<rootDir>/e2e/browser/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/e2e/browser/line.test.ts'],
    },
    {
      ...real,
      // The whole API of a running product, and what it keeps.
      displayName: 'api',
      testMatch: ['<rootDir>/e2e/{api,safety}/test/**/*.test.ts'],
    },
    {
      ...real,
      // The short form of "npm run security".
      displayName: 'security',
      testMatch: ['<rootDir>/e2e/security/test/**/*.test.ts'],
    },
    {
      ...real,
      // What stands on PostgreSQL, MongoDB and MinIO, on each of them in a container.
      displayName: 'engines',
      testMatch: [
        '<rootDir>/infra/chassis/test/{sql,documents,jobs,event-bus,live}.test.ts',
        '<rootDir>/services/{orders,assignments,media}/test/**/*.test.ts',
        '<rootDir>/services/payments/{transfers/test/**/*,test/transfers*}.test.ts',
      ],
      globalSetup: '<rootDir>/infra/chassis/testing/engines-setup.ts',
      globalTeardown: '<rootDir>/infra/chassis/testing/engines-teardown.ts',
    },
    {
      ...real,
      // On engines in containers.
      displayName: 'distributed',
      testMatch: ['<rootDir>/{gateway,services,infra,e2e}/**/distributed/**/*.test.ts'],
    },
  ],
};
