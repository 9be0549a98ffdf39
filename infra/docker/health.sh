# The HEALTHCHECK of every container, which runs every few seconds. Starting node for it would cost more than the
# services at rest.
exec 3<>"/dev/tcp/127.0.0.1/${PORT:-8080}" || exit 1
printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "${HEALTH_PATH:-/readyz}" >&3
read -r -t 3 _ status _ <&3
[ "$status" = 200 ]
