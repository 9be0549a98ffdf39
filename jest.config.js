import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Tests start many processes, each of which would strip the types of the same files.
process.env.NODE_COMPILE_CACHE ??= join(tmpdir(), 'arboleda-compile-cache');

/** One runner for all: each project is a folder of the architecture, with what its tests need. */
const transform = {
  '^.+\\.tsx?$': [
    '@swc/jest',
    {
      jsc: {
        target: 'es2024',
        parser: { syntax: 'typescript', tsx: true, explicitResourceManagement: true },
        transform: { react: { runtime: 'automatic' } },
        experimental: { keepImportAttributes: true },
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

const onePostgres = {
  globalSetup: '<rootDir>/infra/chassis/testing/global-setup.ts',
  globalTeardown: '<rootDir>/infra/chassis/testing/global-teardown.ts',
};

/** Component tests for "npm run test:full": each starts servers of its own. */
const PROCESSES = [
  'infra/chassis/test/crash.test.ts',
  'infra/chassis/test/process.test.ts',
  'infra/cli/test/doctor.test.ts',
  'infra/cli/test/upgrade.test.ts',
  'infra/cli/test/start.test.ts',
  'infra/postgres/test/postgres.test.ts',
  'infra/stripe-sandbox/test/payment-element.test.ts',
  'services/payments/statements/test/killed.test.ts',
];

/** For projects whose files share one running product and one Chromium. */
const sharedProduct = {
  ...common,
  globalSetup: '<rootDir>/e2e/browser/global-setup.ts',
  globalTeardown: '<rootDir>/e2e/browser/global-teardown.ts',
};

export default {
  // Engines are real and two cores are shared: a slow machine is no failure.
  testTimeout: 30_000,
  // A worker that has loaded much takes a while to end on a busy machine; one that stays longer has left something open.
  workerGracefulExitTimeout: 20_000,
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/{contracts,gateway,services,infra,e2e,web/build}/**/*.test.ts'],
      testPathIgnorePatterns: [
        '/node_modules/',
        '/test/',
        '/distributed/',
        '<rootDir>/e2e/browser/',
        '<rootDir>/e2e/reliability/simulation/',
        '<rootDir>/e2e/security/',
      ],
    },
    {
      ...common,
      // The decisions of all services over a simulated clock and bus.
      displayName: 'simulation',
      testMatch: ['<rootDir>/e2e/reliability/simulation/**/*.test.ts'],
    },
    {
      ...common,
      displayName: 'component',
      testMatch: ['<rootDir>/{contracts,gateway,services,infra}/**/test/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...PROCESSES.map((path) => `<rootDir>/${path}`)],
      ...onePostgres,
    },
    {
      ...common,
      // Tests that start, kill and restart servers.
      displayName: 'processes',
      testMatch: PROCESSES.map((path) => `<rootDir>/${path}`),
      ...onePostgres,
    },
    {
      ...common,
      displayName: 'web',
      testEnvironment: 'jsdom',
      testMatch: ['<rootDir>/web/src/**/*.test.{ts,tsx}'],
      setupFiles: ['<rootDir>/web/src/test/setup.ts'],
      moduleNameMapper: {
        '\\.(css|svg|webp|avif|jpg|woff2)(\\?.*)?$': '<rootDir>/web/src/test/asset.ts',
        // Its module for browsers has an ending that Node takes for CommonJS.
        '^fflate$': '<rootDir>/node_modules/fflate/esm/index.mjs',
      },
    },
    {
      ...sharedProduct,
      // One purchase from the landing page to the admin.
      displayName: 'line',
      testMatch: ['<rootDir>/e2e/browser/line.test.ts'],
    },
    {
      ...sharedProduct,
      displayName: 'browser',
      testMatch: ['<rootDir>/e2e/browser/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', '<rootDir>/e2e/browser/line.test.ts'],
    },
    {
      ...common,
      // The whole API of a running product, and what it keeps.
      displayName: 'api',
      testMatch: ['<rootDir>/e2e/{api,safety}/test/**/*.test.ts'],
    },
    {
      ...common,
      // "npm run security". All files attack one filled product.
      displayName: 'security',
      testMatch: ['<rootDir>/e2e/security/**/*.test.ts'],
      globalSetup: '<rootDir>/e2e/security/global-setup.ts',
      globalTeardown: '<rootDir>/e2e/security/global-teardown.ts',
    },
    {
      ...common,
      // Adapters and what stands on them, on Kafka, MongoDB and MinIO in containers.
      displayName: 'adapters',
      testMatch: [
        '<rootDir>/infra/{chassis,cli,observability}/**/distributed/**/*.test.ts',
        '<rootDir>/services/**/distributed/**/*.test.ts',
      ],
    },
    {
      ...common,
      // Needs a container engine. Media is the service whose documents stay on MongoDB and MinIO.
      displayName: 'engines',
      testMatch: ['<rootDir>/services/media/test/**/*.test.ts'],
      globalSetup: '<rootDir>/infra/chassis/testing/engines-setup.ts',
      globalTeardown: '<rootDir>/infra/chassis/testing/engines-teardown.ts',
    },
    {
      ...common,
      displayName: 'images',
      testMatch: ['<rootDir>/infra/docker/distributed/**/*.test.ts'],
    },
    {
      ...common,
      // One purchase through docker compose.
      displayName: 'compose',
      testMatch: ['<rootDir>/e2e/distributed/compose.test.ts'],
    },
    {
      ...common,
      // Replicas, outages, rolling updates, backups, moves and changed keys in docker compose: "npm run test:scaling".
      displayName: 'scaling',
      testMatch: ['<rootDir>/e2e/distributed/{scaling,backup,move,roll,keys}.test.ts'],
    },
  ],
};
