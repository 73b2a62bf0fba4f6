#!/bin/sh
# What the image of nginx does at its start: fills in templates with the environment and the name servers.
set -eu
NGINX_LOCAL_RESOLVERS=$(awk '$1 == "nameserver" { printf "%s%s", sep, $2; sep = " " }' /etc/resolv.conf)
export NGINX_LOCAL_RESOLVERS
names=$(awk 'BEGIN { for (name in ENVIRON) printf "${%s} ", name }')
for template in /etc/nginx/templates/*.template; do
  envsubst "$names" <"$template" >"$NGINX_ENVSUBST_OUTPUT_DIR/$(basename "$template" .template)"
done
exec "$@"
