import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import ts from 'typescript-eslint';

/** Imports point one way: web, gateway, services → contracts; services, gateway → infra/chassis. */
const border = (files, forbidden, message) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group: forbidden, message }] }] },
});

const SERVICES = ['auth', 'pricing', 'payments', 'orders', 'assignments', 'media', 'notifications'];
const packages = (names) => names.flatMap((name) => [`@arboleda/${name}`, `@arboleda/${name}/*`]);
const everyPackageBut = (...kept) =>
  packages(
    [
      'contracts',
      'chassis',
      'gateway',
      'web',
      'local',
      'postgres',
      'stripe-sandbox',
      'e2e',
      ...SERVICES,
    ].filter((name) => !kept.includes(name)),
  );

export default ts.config(
  { ignores: ['**/node_modules/**', '**/dist/**', '.data/**', 'e2e/bench/.peers/**'] },
  js.configs.recommended,
  ...ts.configs.recommended,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'no-restricted-exports': ['error', { restrictDefaultExports: { direct: false } }],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: {
      globals: { process: 'readonly', console: 'readonly', URL: 'readonly', setTimeout: 'readonly' },
    },
  },
  {
    files: ['web/src/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: reactHooks.configs.recommended.rules,
  },
  border(
    ['contracts/**/*.ts'],
    [...everyPackageBut('contracts'), 'node:*'],
    'contracts does no I/O and knows nobody.',
  ),
  border(
    ['infra/chassis/**/*.ts'],
    everyPackageBut('chassis', 'contracts'),
    'The chassis knows contracts only.',
  ),
  border(
    ['infra/chassis/testing/**/*.ts'],
    everyPackageBut('chassis', 'contracts', 'postgres'),
    'Tests stand on a PostgreSQL of their own beside what the chassis knows.',
  ),
  border(
    ['infra/postgres/**/*.ts'],
    everyPackageBut('postgres'),
    'PostgreSQL is started by others and knows nobody.',
  ),
  border(
    ['gateway/**/*.ts'],
    everyPackageBut('gateway', 'contracts', 'chassis'),
    'The gateway stands on contracts and the chassis.',
  ),
  border(['web/src/**/*.{ts,tsx}'], everyPackageBut('web', 'contracts'), 'The web app knows contracts only.'),
  border(
    ['infra/stripe-sandbox/**/*.ts'],
    everyPackageBut('stripe-sandbox'),
    'The sandbox stands alone: it takes the place of Stripe.',
  ),
  ...SERVICES.map((name) =>
    border(
      [`services/${name}/**/*.ts`],
      everyPackageBut(name, 'contracts', 'chassis'),
      'No service imports another: use events, or HTTP with a service token.',
    ),
  ),
  ...SERVICES.map((name) =>
    border(
      [`services/${name}/test/**/*.ts`],
      everyPackageBut(name, 'contracts', 'chassis', 'stripe-sandbox'),
      'Tests of a service know it, what it stands on, and the sandbox that takes the place of Stripe.',
    ),
  ),
);
