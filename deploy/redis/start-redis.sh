#!/bin/sh
# Redis as the planes want it: nothing is lost by a restart, nothing is evicted, and every plane logs in as itself.
# The passwords come from the environment and go in by stdin, so that no list of processes shows them.
set -eu
exec redis-server - <<EOF
dir /data
appendonly yes
maxmemory-policy noeviction
user default on >$REDIS_PASSWORD ~* &* +@all
user gateway on >$GATEWAY_REDIS_PASSWORD ~* &* +@all -@admin
user billing on >$BILLING_REDIS_PASSWORD ~* &* +@all -@admin
user video-worker on >$VIDEO_WORKER_REDIS_PASSWORD ~* &* +@all -@admin
user console on >$CONSOLE_REDIS_PASSWORD ~* &* +@all -@admin
EOF
