#!/usr/bin/env bash
# A bucket to try two instances of Muster with (docs/several-machines.md): the S3 server of Ceph on one disk, without copies of anything.
# Needs Ceph 20.2, which Debian forky has, and root:
#   apt-get install --no-install-recommends ceph-common ceph-mon ceph-osd curl radosgw
#   BUCKET_KEY=… bash ops/bucket.sh
# While it creates the user, the command line of radosgw-admin has the secret, for all users of this machine to see.
# BUCKET_HOST (127.0.0.1) and BUCKET_PORT (9000) are where it listens. The key's id and the bucket are `muster`. Data: /var/lib/ceph.
set -euo pipefail
secret=${BUCKET_KEY:?a secret of the bucket}
host=${BUCKET_HOST:-127.0.0.1}
port=${BUCKET_PORT:-9000}
mon=/var/lib/ceph/mon/ceph-a
osd=/var/lib/ceph/osd/ceph-0
mkdir -p /etc/ceph /run/ceph /var/log/ceph "$mon" "$osd"
isNew=$([ -e "$mon/kv_backend" ] && echo no || echo yes)
if [ "$isNew" = yes ]; then
  cat /proc/sys/kernel/random/uuid >"$mon.id"
fi
cat >/etc/ceph/ceph.conf <<CONF
[global]
fsid = $(cat "$mon.id")
mon host = 127.0.0.1
public addr = 127.0.0.1
auth cluster required = none
auth service required = none
auth client required = none
mon allow pool size one = true
mon data avail crit = 1
osd crush chooseleaf type = 0
osd memory target = 1073741824
osd pool default pg autoscale mode = off
osd pool default pg num = 8
osd pool default size = 1
bluestore block size = 10737418240
[client.rgw.a]
rgw frontends = beast endpoint=$host:$port
CONF
if [ "$isNew" = yes ]; then
  monmaptool --create --clobber --add a 127.0.0.1 --fsid "$(cat "$mon.id")" /tmp/monmap
  ceph-mon --mkfs -i a --monmap /tmp/monmap
fi
trap 'kill $(jobs -p)' EXIT
trap exit INT TERM
ceph-mon -f -i a &
if [ "$isNew" = yes ]; then
  uuid=$(cat /proc/sys/kernel/random/uuid)
  ceph osd new "$uuid" 0
  ceph-osd -i 0 --mkfs --osd-uuid "$uuid"
fi
ceph-osd -f -i 0 &
until ceph osd stat | grep -q '1 up'; do sleep 1; done
if [ "$isNew" = yes ]; then
  radosgw-admin user create --uid muster --display-name muster --access-key muster --secret-key "$secret" >/dev/null
fi
radosgw -f -n client.rgw.a &
# It answers 200 also if the bucket is there.
until curl --silent --fail --output /dev/null --request PUT --config <(printf 'user = "muster:%s"' "$secret") --aws-sigv4 'aws:amz:us-east-1:s3' \
  "http://127.0.0.1:$port/muster"; do sleep 1; done
echo "bucket: s3://muster at port $port"
# When one of them ends, all do.
wait -n
