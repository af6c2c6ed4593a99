#!/bin/sh
# Creates two databases, each with its own role. No other role can connect to them. The PostgreSQL image runs this
# script once, on an empty volume. Without containers, it is run as docs/operating.md describes (Set up for your company).
set -eu
make() {
  psql --username=postgres --set=ON_ERROR_STOP=1 --set=name="$1" --set=password="$2" <<'SQL'
CREATE ROLE :"name" LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD :'password';
CREATE DATABASE :"name" OWNER :"name";
REVOKE CONNECT, TEMPORARY ON DATABASE :"name" FROM PUBLIC;
SQL
}
make paygrant "$DATABASE_PASSWORD"
make paygrant_sandbox "$SANDBOX_DATABASE_PASSWORD"
psql --username=postgres --command="REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC"
