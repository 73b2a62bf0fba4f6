#!/bin/sh
# Starts Redis with a user for each plane, as libs/transport/src/access/redis-rules.ts has them, and `default` as the
# administrator. The server reads its configuration from a pipe: no password stands in a command line or in a file.
set -eu
: "${REDIS_PASSWORD:?}" "${GATEWAY_REDIS_PASSWORD:?}" "${BILLING_REDIS_PASSWORD:?}"
: "${VIDEO_WORKER_REDIS_PASSWORD:?}" "${CONSOLE_REDIS_PASSWORD:?}"

digest() {
  printf '%s' "$1" | sha256sum | cut -d ' ' -f 1
}

exec redis-server - "$@" <<EOF
dir ${REDIS_DIRECTORY:-/data}
appendonly yes
maxmemory-policy noeviction
user default on #$(digest "$REDIS_PASSWORD") ~* &* +@all
user gateway on #$(digest "$GATEWAY_REDIS_PASSWORD") resetkeys resetchannels -@all ~bull:video-tasks:* ~claim:gateway:* &billing.hold_open &billing.task_open &billing.task_end &billing.heartbeat &billing.ping &billing.reply.* &gateway.channel_test &gateway.reply.* +@read +@write -@dangerous -@scripting -scan -randomkey -dbsize +eval +evalsha +script|exists +script|load +multi +exec +time +publish +subscribe +unsubscribe +set +auth +hello +select +ping +quit +info +client|setname
user billing on #$(digest "$BILLING_REDIS_PASSWORD") resetkeys resetchannels -@all ~claim:billing:* &billing.hold_open &billing.wallet_open &billing.top_up &billing.credit_limit &billing.task_open &billing.task_charge &billing.task_end &billing.heartbeat &billing.ping &billing.reply.* +publish +subscribe +unsubscribe +set +auth +hello +select +ping +quit +info +client|setname
user video-worker on #$(digest "$VIDEO_WORKER_REDIS_PASSWORD") resetkeys resetchannels -@all ~bull:video-tasks:* &billing.task_charge &billing.task_end &billing.ping &billing.reply.* +@read +@write -@dangerous -@scripting -scan -randomkey -dbsize +eval +evalsha +script|exists +script|load +multi +exec +time +publish +subscribe +unsubscribe +auth +hello +select +ping +quit +info +client|setname
user console on #$(digest "$CONSOLE_REDIS_PASSWORD") resetkeys resetchannels -@all &billing.top_up &billing.credit_limit &billing.wallet_open &billing.ping &billing.reply.* &gateway.channel_test &gateway.reply.* +publish +subscribe +unsubscribe +auth +hello +select +ping +quit +info +client|setname
EOF
