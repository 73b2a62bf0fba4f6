#!/bin/sh
# What the image of Postgres does at its start, as far as docker-compose.yml needs it.
set -eu
data=/var/lib/postgresql/18/docker
if [ ! -s "$data/PG_VERSION" ]; then
  (umask 077 && printf '%s' "$POSTGRES_PASSWORD" >/tmp/password)
  initdb --pgdata="$data" --username="$POSTGRES_USER" --pwfile=/tmp/password --encoding=UTF8 --no-locale \
    --auth-local=trust --auth-host=scram-sha-256 --set=unix_socket_directories=/var/run/postgresql
  rm /tmp/password
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  printf 'create database "%s"\n' "$POSTGRES_DB" | postgres --single -D "$data" postgres
fi
exec postgres -D "$data" -c 'listen_addresses=*'
