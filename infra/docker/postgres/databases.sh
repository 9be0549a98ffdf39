#!/bin/sh
# Gives each service a database in PostgreSQL, and a role that can connect to no other: `databases.sh auth payments`,
# with the passwords in AUTH_PASSWORD and PAYMENTS_PASSWORD. With MONITORING_PASSWORD, the role "monitoring" may read the
# server's figures. It is idempotent, and updates passwords.
set -eu

psql() { command psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 "$@"; }

psql --dbname postgres <<'SQL'
revoke connect on database postgres, template1 from public;
SQL

for service in "$@"; do
  variable="$(printf '%s' "$service" | tr '[:lower:]' '[:upper:]')_PASSWORD"
  password="$(printenv "$variable")" || { echo "$variable must be set" >&2; exit 1; }
  psql --dbname postgres --set service="$service" --set password="$password" <<'SQL'
select format('create role %I', :'service')
where not exists (select from pg_roles where rolname = :'service') \gexec
alter role :"service" with login nosuperuser nocreatedb nocreaterole noreplication password :'password';
select format('create database %I owner %I', :'service', :'service')
where not exists (select from pg_database where datname = :'service') \gexec
revoke all on database :"service" from public;
SQL
  echo "database $service is there, for role $service alone"
done

if [ -n "${MONITORING_PASSWORD:-}" ]; then
  psql --dbname postgres --set password="$MONITORING_PASSWORD" <<'SQL'
set client_min_messages to warning;
select 'create role monitoring' where not exists (select from pg_roles where rolname = 'monitoring') \gexec
alter role monitoring with login nosuperuser nocreatedb nocreaterole noreplication connection limit 5 password :'password';
grant pg_monitor to monitoring;
grant connect on database postgres to monitoring;
SQL
  echo "role monitoring may read figures alone"
fi
