create table accounts (
  id text primary key,
  role text not null check (role in ('customer', 'worker', 'admin')),
  email text not null,
  name text not null,
  password_hash text not null,
  language text not null,
  email_verified boolean not null,
  active boolean not null,
  token_version integer not null,
  revision integer not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index accounts_email on accounts (role, lower(email));

create table workers (
  account_id text primary key references accounts on delete cascade,
  code text not null,
  region text not null,
  capacity_trees integer not null check (capacity_trees >= 0)
);
create unique index workers_code on workers (upper(code));

create table verification_links (
  token_hash bytea primary key,
  account_id text not null references accounts on delete cascade,
  email text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  replaced_at timestamptz
);
create index verification_links_account on verification_links (account_id);

-- One row: the key of this installation, unless the environment brings another.
create table signing_keys (
  one boolean primary key default true check (one),
  private_jwk jsonb not null,
  created_at timestamptz not null default now()
);

-- rate-limiter-flexible's own columns.
create table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);

-- Where an account was logged into before, hashed: its owner is let in there while others are guessing.
create table known_networks (
  account_id text not null references accounts on delete cascade,
  network_hash text not null,
  seen_at timestamptz not null,
  primary key (account_id, network_hash)
);
