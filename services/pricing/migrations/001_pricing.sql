-- Every accepted table of rates; prices use the newest.
create table rate_tables (
  id bigint generated always as identity primary key,
  as_of date not null,
  source text not null,
  rates jsonb not null,
  -- Dates of currencies with an older rate: the provider left them out, or the offered rate was rejected.
  older jsonb not null default '{}',
  accepted_at timestamptz not null
);

-- Result of the last refresh. One row, so replicas and restarts share one schedule.
create table rate_refreshes (
  only_one boolean primary key default true check (only_one),
  attempted_at timestamptz not null,
  failures int not null,
  refused text[] not null
);
