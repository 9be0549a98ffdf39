-- How asking the provider went last; one row, so that replicas and restarts ask no more often than one would.
create table rate_refreshes (
  only_one boolean primary key default true check (only_one),
  attempted_at timestamptz not null,
  failures int not null,
  refused text[] not null
);
