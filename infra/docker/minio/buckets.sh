#!/bin/sh
# Gives each service a bucket, and a user with access to no other: `buckets.sh payments media`, with the passwords in
# PAYMENTS_PASSWORD and MEDIA_PASSWORD, and MC_HOST_store=http(s)://root:password@host:port for mc. It is idempotent,
# and updates passwords.
set -eu

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
  mc admin policy create store "$service" "/tmp/$service.json" >/dev/null
  # On standard input, because a password may begin with a dash.
  printf '%s\n' "$password" | mc admin user add store "$service" >/dev/null
  mc admin policy attach store "$service" --user "$service" >/dev/null 2>&1 ||
    mc admin user info store "$service" | grep -q "PolicyName: $service$" ||
    { echo "$service has not got its policy" >&2; exit 1; }
  echo "bucket $bucket is there, for user $service alone"
done
