/** A migration that does what the rules object to, and why it may. */
export interface Exception {
  migration: string;
  rule: string;
  reason: string;
}

/** Before there was a version to run beside: no installation held rows that anybody waited for. */
const BEFORE_THE_FIRST = 'it was made before the first version that anybody runs';

const of = (reason: string, migration: string, ...rules: string[]): Exception[] =>
  rules.map((rule) => ({ migration, rule, reason }));

/** All there are. A new one says why nobody who runs the version before notices. */
export const EXCEPTIONS: readonly Exception[] = [
  ...of(
    BEFORE_THE_FIRST,
    'auth/002_whole_account.sql',
    'checks every row while nobody can write',
    'runs in what the version before writes',
  ),
  ...of(
    BEFORE_THE_FIRST,
    'notifications/002_complete.sql',
    'checks every row while nobody can write',
    'rewrites the table',
    'makes an index while nobody can write',
    'writes rows that others write',
  ),
  ...of(BEFORE_THE_FIRST, 'payments/002_payments_by_age.sql', 'makes an index while nobody can write'),
  ...of(
    BEFORE_THE_FIRST,
    'payments/003_charges.sql',
    'makes an index while nobody can write',
    'writes rows that others write',
  ),
  ...of(
    'it makes an extension where the server has it, and touches no table',
    'payments/010_reading.sql',
    'does what cannot be read',
  ),
  ...of(BEFORE_THE_FIRST, 'payments/013_stopped_packages.sql', 'makes an index while nobody can write'),
  ...of(BEFORE_THE_FIRST, 'payments/014_evidence_bounds.sql', 'makes an index while nobody can write'),
  ...of('it only adds a function', 'payments/010_reading.sql', 'is not known to be harmless'),
  ...of('it only adds a function', 'auth/004_search.sql', 'is not known to be harmless'),
  ...of(
    'its function answers as before, so that both versions and every index can go on with either',
    'chassis/005_sortable_in_plpgsql.sql',
    'is not known to be harmless',
  ),
];
