#!/bin/bash
# The health check of every plane's image: exits 0 when the plane in this container is ready. It is no Node script: each start
# of Node costs a tenth of a second of CPU.
# bash deploy/docker/check-health.sh <variable that names its port> <port when that is not set>
port=${!1:-$2}
# Where HOST says that the plane listens at one address only, it is asked there.
case ${HOST:-} in
  '' | 0.0.0.0 | ::) host=127.0.0.1 ;;
  *) host=$HOST ;;
esac
exec 3<>"/dev/tcp/$host/$port" || exit 1
printf 'GET /readyz HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "$host" >&3
if ! read -r -t 2 _ status _ <&3; then
  echo 'The plane does not answer.'
  exit 1
fi
# The body is the last line, and nothing ends it.
while IFS= read -r -t 1 line; do :; done <&3
echo "$line"
[ "$status" = 200 ]
