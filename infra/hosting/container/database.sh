#!/bin/sh
# Run once by PostgreSQL's image, in a database that is new.
set -e
# It takes OWNER_PASSWORD and APP_PASSWORD from the environment.
psql --username postgres --dbname postgres -v ON_ERROR_STOP=1 --file /etc/chengjiao/database.sql
