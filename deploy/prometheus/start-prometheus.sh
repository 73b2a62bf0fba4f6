#!/bin/sh
# Prometheus takes the token that it shows to the planes from a file, not from the environment.
set -eu
umask 077
printf '%s' "$METRICS_TOKEN" > /tmp/metrics-token
unset METRICS_TOKEN
exec /bin/prometheus --config.file=/etc/model-gateway/prometheus.yml --storage.tsdb.path=/prometheus \
  --storage.tsdb.retention.time=30d
