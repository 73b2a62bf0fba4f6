#!/bin/sh
# Replaces the planes of docker-compose.yml by those of the images that it names now, while they serve: docs/operations.md.
# deploy/compose/upgrade.sh           to a newer version: migrates first
# deploy/compose/upgrade.sh --back    to a former version: leaves the database as it is
#
# Of each plane, as many new containers are started beside the old ones; when all are healthy, the old ones drain and are
# removed. Where new ones do not become healthy they are removed instead, and the old ones go on. Users of Redis get the
# rules of the new version; otherwise Postgres, Redis and the ingress are left alone.
set -eu
cd "$(dirname "$0")/../.."

# As stop_grace_period of the planes.
STOP_SECONDS=45
HEALTHY_SECONDS=120

replace() {
  old=$(docker compose ps --quiet "$1")
  if [ -z "$old" ]; then
    echo "$1 does not run: left out."
    return
  fi
  count=$(echo "$old" | wc -l)
  echo "$1: starting $count beside $count"
  if ! docker compose up --detach --no-deps --no-build --no-recreate --wait --wait-timeout "$HEALTHY_SECONDS" \
    --scale "$1=$((count * 2))" "$1"; then
    remove_others "$1" "$old"
    echo "$1 of the new version did not become healthy and was removed; what ran before goes on. Its log is above." >&2
    exit 1
  fi
  echo "$1: stopping the $count before"
  # Words: each is the id of a container.
  # shellcheck disable=SC2086
  docker stop --time "$STOP_SECONDS" $old >/dev/null
  # shellcheck disable=SC2086
  docker rm --volumes $old >/dev/null
}

# Shows what containers of a service said, and removes them, but for those that are named.
remove_others() {
  for id in $(docker compose ps --all --quiet "$1"); do
    case $2 in
      *"$id"*) ;;
      *)
        docker logs --tail 20 "$id" >&2
        docker rm --force --volumes "$id" >/dev/null
        ;;
    esac
  done
}

case ${1:-} in
  '')
    # A container of its own, so that one that fails changes nothing.
    docker compose run --rm --no-deps migrate
    if [ -n "$(docker compose ps --quiet redis)" ]; then
      docker compose exec -T redis sh /etc/model-gateway/start-redis.sh apply >/dev/null
    fi
    order='billing gateway video-worker'
    ;;
  --back)
    order='video-worker gateway billing'
    ;;
  *)
    echo "usage: $0 [--back]" >&2
    exit 2
    ;;
esac
for plane in $order; do replace "$plane"; done
# One has the port of this machine: it is away for some seconds, and nobody's call with it.
docker compose up --detach --no-deps --no-build --wait --wait-timeout "$HEALTHY_SECONDS" console
echo 'All planes are of the version that docker-compose.yml names now.'
