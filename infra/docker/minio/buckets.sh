#!/bin/sh
# Gives each service a bucket, and a user with access to no other: `buckets.sh payments media`, with the passwords in
# PAYMENTS_PASSWORD and MEDIA_PASSWORD, and MC_HOST_store=http(s)://root:password@host:port for mc. With
# MONITORING_PASSWORD, the user "monitoring" may read the server's figures. It is idempotent, and updates passwords.
set -eu

# A user with the policy in /tmp/<user>.json.
give_user() {
  mc admin policy create store "$1" "/tmp/$1.json" >/dev/null
  # On standard input, because a password may begin with a dash.
  printf '%s\n' "$2" | mc admin user add store "$1" >/dev/null
  mc admin policy attach store "$1" --user "$1" >/dev/null 2>&1 ||
    mc admin user info store "$1" | grep -q "PolicyName: $1$" ||
    { echo "$1 has not got its policy" >&2; exit 1; }
}

for service in "$@"; do
  variable="$(printf '%s' "$service" | tr '[:lower:]' '[:upper:]')_PASSWORD"
  password="$(printenv "$variable")" || { echo "$variable must be set" >&2; exit 1; }
  bucket="${S3_BUCKET_PREFIX:-arboleda-}$service"
  cat >"/tmp/$service.json" <<JSON
{
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": ["s3:GetBucketLocation", "s3:ListBucket"],
      "Resource": ["arn:aws:s3:::$bucket"]
    },
    {
      "Effect": "Allow",
      "Action": ["s3:GetObject", "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload"],
      "Resource": ["arn:aws:s3:::$bucket/*"]
    }
  ]
}
JSON
  mc --quiet mb --ignore-existing "store/$bucket" >/dev/null
  give_user "$service" "$password"
  echo "bucket $bucket is there, for user $service alone"
done

if [ -n "${MONITORING_PASSWORD:-}" ]; then
  cat >/tmp/monitoring.json <<'JSON'
{ "Version": "2012-10-17", "Statement": [{ "Effect": "Allow", "Action": ["admin:Prometheus"] }] }
JSON
  give_user monitoring "$MONITORING_PASSWORD"
  echo "user monitoring may read figures alone"
fi
