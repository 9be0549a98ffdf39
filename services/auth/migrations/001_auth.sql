create table accounts (
  id text primary key,
  role text not null check (role in ('customer', 'worker', 'admin')),
  admin_role text check (admin_role in ('owner', 'finance', 'coordinator', 'support', 'auditor')),
  email text not null,
  name text not null,
  password_hash text not null,
  language text not null,
  email_verified boolean not null,
  active boolean not null,
  token_version integer not null,
  -- An invited worker or admin without a password.
  invitation_pending boolean not null default false,
  revision integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((role = 'admin') = (admin_role is not null))
);
create unique index accounts_email on accounts (role, lower(email));

create table workers (
  account_id text primary key references accounts on delete cascade,
  code text not null,
  region text not null,
  capacity_trees integer not null check (capacity_trees >= 0)
);
create unique index workers_code on workers (upper(code));

-- Every emailed link proves its address; the purpose says what else it does.
create table verification_links (
  token_hash bytea primary key,
  purpose text not null default 'verify-email'
    check (purpose in ('verify-email', 'reset-password', 'invitation', 'change-email')),
  account_id text not null references accounts on delete cascade,
  email text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  replaced_at timestamptz
);
create index verification_links_account on verification_links (account_id);
create index verification_links_by_end on verification_links (expires_at);

-- One row: the key of this installation, unless the environment sets one.
create table signing_keys (
  one boolean primary key default true check (one),
  private_jwk jsonb not null,
  created_at timestamptz not null default now()
);

-- Columns of rate-limiter-flexible.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);

-- Networks from which an account was logged into, hashed. From there its owner can log in during an attack.
create table known_networks (
  account_id text not null references accounts on delete cascade,
  network_hash text not null,
  seen_at timestamptz not null,
  primary key (account_id, network_hash)
);
create index known_networks_by_age on known_networks (seen_at);

-- Accounts whose tokens of a lower version are refused before they expire. Changes of accounts lock it. No
-- foreign key, as it must outlive deleted accounts.
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

-- An authenticator app's secret, encrypted. Active once a code has confirmed it.
create table second_factors (
  account_id text primary key references accounts on delete cascade,
  sealed_secret bytea not null,
  confirmed_at timestamptz,
  -- Last 30-second step whose code was used; codes cannot be reused.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);
create table recovery_codes (
  account_id text not null references second_factors on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (account_id, code_hash)
);

-- Normalizes text for search: lower case, no accents, uniform apostrophes and dashes; then the same with
-- letters and digits only. Must match `folded` and `bare` in contracts/search.ts.
create function search_text(value text) returns text language sql immutable parallel safe as $$
  select plain || E'\n' || regexp_replace(plain, '[^[:alnum:]\n]', '', 'g')
  from (
    select replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')),
      'đðøłħıŋ’‘ʼ`´‐‑‒–—−', 'ddolhin''''''''''------'
    ), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') as plain
  ) folded
$$;
