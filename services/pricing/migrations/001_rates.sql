-- Every table of rates that was taken over; the newest is the one prices are made of.
create table rate_tables (
  id bigint generated always as identity primary key,
  as_of date not null,
  source text not null,
  rates jsonb not null,
  accepted_at timestamptz not null
);
