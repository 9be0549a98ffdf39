-- Every table of rates that was taken over; the newest is the one prices are made of.
create table rate_tables (
  id bigint generated always as identity primary key,
  as_of date not null,
  source text not null,
  rates jsonb not null,
  -- Of currencies whose rate is of an earlier day: a provider may leave one out, or offer one that is not believed.
  older jsonb not null default '{}',
  accepted_at timestamptz not null
);

-- How asking the provider went last; one row, so that replicas and restarts ask no more often than one would.
create table rate_refreshes (
  only_one boolean primary key default true check (only_one),
  attempted_at timestamptz not null,
  failures int not null,
  refused text[] not null
);
