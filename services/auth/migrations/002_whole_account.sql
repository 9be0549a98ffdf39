-- A worker who was invited and has not set a password yet.
alter table accounts add column invitation_pending boolean not null default false;

-- Every mailed link proves the address it went to; this says what else it is for.
alter table verification_links add column purpose text not null default 'verify-email'
  check (purpose in ('verify-email', 'reset-password', 'invitation', 'change-email'));

-- Accounts whose tokens of a lower version are refused by everybody, though they have not expired. It holds whoever
-- changes the account, and no foreign key: an account that is gone is the plainest case.
create table ended_sessions (
  account_id text primary key,
  token_version integer not null,
  ended_at timestamptz not null
);
create index ended_sessions_at on ended_sessions (ended_at, account_id);

create function note_ended_sessions() returns trigger language plpgsql set search_path from current as $$
begin
  insert into ended_sessions (account_id, token_version, ended_at)
  values (old.id, case when tg_op = 'DELETE' then 2147483647 else new.token_version end, clock_timestamp())
  on conflict (account_id) do update
    set token_version = greatest(ended_sessions.token_version, excluded.token_version), ended_at = excluded.ended_at;
  return null;
end $$;
create trigger accounts_sessions_ended after update of token_version on accounts
  for each row when (new.token_version > old.token_version) execute function note_ended_sessions();
create trigger accounts_gone after delete on accounts for each row execute function note_ended_sessions();

-- An authenticator app's secret, encrypted; it counts once a code has confirmed it.
create table second_factors (
  account_id text primary key references accounts on delete cascade,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  -- The latest step of 30 seconds whose code was used: none is used twice.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
create table recovery_codes (
  account_id text not null references second_factors on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);
