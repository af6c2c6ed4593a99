#!/bin/sh
# Creates two databases, each with its own role. No other role can connect to them. The PostgreSQL image runs this
# script once, on an empty volume. Without containers, it is run as docs/operating.md describes (Set up for your company).
# If the roles and databases exist, it sets the passwords and keeps the data.
set -eu
make() {
  psql --username=postgres --set=ON_ERROR_STOP=1 --set=name="$1" --set=password="$2" <<'SQL'
SELECT format('CREATE ROLE %I', :'name') WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = :'name') \gexec
ALTER ROLE :"name" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
SELECT format('CREATE DATABASE %I OWNER %I', :'name', :'name')
  WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = :'name') \gexec
REVOKE CONNECT, TEMPORARY ON DATABASE :"name" FROM PUBLIC;
SQL
}
make paygrant "$DATABASE_PASSWORD"
make paygrant_sandbox "$SANDBOX_DATABASE_PASSWORD"
psql --username=postgres --command="REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC"
