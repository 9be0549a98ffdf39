#!/bin/bash
node /front.mjs 27017 27018 &
exec docker-entrypoint.sh "$@" --port 27018
