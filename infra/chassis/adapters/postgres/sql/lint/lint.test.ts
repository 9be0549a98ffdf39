import { describe, expect, test } from '@jest/globals';
import { readMigrations, toMigration } from '../migration.ts';
import { EXCEPTIONS } from './exceptions.ts';
import { migrationFolders } from './folders.ts';
import { objections } from './rules.ts';

/** Rules against the second of two migrations. */
const rulesOf = (text: string): string[] =>
  objections('shop', [
    toMigration('001_first.sql', 'create table books (id text primary key, title text not null);'),
    toMigration('002_second.sql', text),
  ]).map(({ rule }) => rule);

describe('the version before runs on', () => {
  test.each([
    ['a table, and whatever belongs to it', 'create table authors (id text primary key); create unique index a on authors (id); insert into authors values (1);'],
    ['a column that may be empty', 'alter table books add column pages int;'],
    ['a column with a fixed value for those that do not know it', "alter table books add column kind text not null default 'print', add column at timestamptz default now();"],
    ['an index that is made beside the traffic', '-- concurrently\ncreate index concurrently if not exists b on books (title);'],
    ['a view', 'create or replace view shelf as select id, 1 as one from books;'],
    ['words in comments, strings and functions', "-- drop table books;\ncomment on table books is 'drop table books; truncate';\ncreate function f() returns void language sql as $$ delete from books; $$;"],
    ['a default that changes, and a column that may be empty now', 'alter table books alter column title set default 1, alter column title drop not null;'],
  ])('%s', (_, text) => expect(rulesOf(text)).toEqual([])); // prettier-ignore

  test.each([
    ['alter table books drop column title;', 'drops'],
    ['drop table books;', 'drops'],
    ['drop view shelf;', 'drops'],
    ['-- concurrently\ndrop index concurrently books_by_title;', 'drops'],
    ['alter table books rename column title to name;', 'renames'],
    ['alter table books rename to volumes;', 'renames'],
    ['alter table books alter column title type varchar(9);', 'changes a type'],
    ['alter table books alter title set data type int;', 'changes a type'],
    ['alter table books add column pages int not null;', 'refuses what the version before writes'],
    ['alter table books alter column title set not null;', 'refuses what the version before writes'],
    ['alter table books add constraint c exclude using gist (id with =);', 'refuses what the version before writes'],
    ['-- concurrently\ncreate unique index concurrently b on books (title);', 'refuses what the version before writes'],
    ['alter table books add column n int check (n > 0);', 'checks every row while nobody can write'],
    ['alter table books add constraint c check (title <> 1);', 'checks every row while nobody can write'],
    ['alter table books add column of text references authors;', 'checks every row while nobody can write'],
    ['alter table books add column code text unique;', 'makes an index while nobody can write'],
    ['create index b on books (title);', 'makes an index while nobody can write'],
    ['create index concurrently b on books (title);', 'makes an index while nobody can write'],
    ['alter table books add column at uuid default gen_random_uuid();', 'rewrites the table'],
    ["alter table books add column t text not null generated always as (title || 'x') stored;", 'rewrites the table'],
    ['alter table books add column n bigserial;', 'rewrites the table'],
    ["update books set title = 'b';", 'writes rows that others write'],
    ['delete from books;', 'writes rows that others write'],
    ['create trigger t after insert on books for each row execute function f();', 'runs in what the version before writes'],
    ['lock table books;', 'holds a long lock'],
    ['truncate books;', 'holds a long lock'],
    ['do $$ begin drop table books; end $$;', 'does what cannot be read'],
    ['create or replace function f() returns int language sql as $$ select 1 $$;', 'is not known to be harmless'],
    ['grant all on books to stranger;', 'is not known to be harmless'],
    ['alter table books add column a int, disable trigger t;', 'is not known to be harmless'],
  ])('is hurt by: %s', (text, rule) => expect(rulesOf(text)).toEqual([rule])); // prettier-ignore
});

test('no migration hurts the version before, but for the named ones', async () => {
  const folders = await migrationFolders();
  expect(folders.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['auth', 'pricing', 'payments', 'notifications', 'chassis']),
  );
  const found = (
    await Promise.all(folders.map(async ({ name, folder }) => objections(name, await readMigrations(folder))))
  ).flat();
  const isExcepted = ({ migration, rule }: { migration: string; rule: string }) =>
    EXCEPTIONS.some((one) => one.migration === migration && one.rule === rule);
  expect(found.filter((objection) => !isExcepted(objection))).toEqual([]);
  // An exception that nothing needs would let something else through.
  const isNeeded = ({ migration, rule }: { migration: string; rule: string }) =>
    found.some((objection) => objection.migration === migration && objection.rule === rule);
  expect(EXCEPTIONS.filter((exception) => !isNeeded(exception))).toEqual([]);
});
