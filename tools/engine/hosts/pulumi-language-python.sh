#!/bin/sh
# Starts the Python host with the project's virtual environment: the CLI tells it in its requests, but a host of this
# version takes it as a flag. The CLI starts hosts in the folder of the project.
virtualenv=$(sed -n '/^ *#/d; s/.*virtualenv: *["'\'']\{0,1\}\([^"'\'' ,}#]*\).*/\1/p' Pulumi.yaml 2>/dev/null | head -n 1)
exec "$0-host" "-root=$PWD" ${virtualenv:+"-virtualenv=$virtualenv"} "$@"
