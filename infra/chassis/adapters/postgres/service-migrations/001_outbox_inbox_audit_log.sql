-- Ids of events whose effect is stored.
create table _inbox (
  event_id text primary key,
  consumed_at timestamptz not null default now()
);
create index _inbox_consumed_at on _inbox (consumed_at);

-- Events that wait to be published to a bus on another engine.
create table _outbox (
  seq bigint generated always as identity primary key,
  event jsonb not null,
  created_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- The audit log. `entry` is json, not jsonb, as its text is hashed.
create table _audit_log (
  seq bigint primary key,
  entry json not null,
  previous_hash text not null,
  hash text not null,
  at text collate "C" not null generated always as (entry ->> 'at') stored,
  order_id text collate "C" generated always as (entry ->> 'orderId') stored
);
create index _audit_log_at on _audit_log (at, seq);
create index _audit_log_order on _audit_log (order_id) where order_id is not null;
create index _audit_log_order_end on _audit_log (right(order_id, 6)) where order_id is not null;
create index _audit_log_object on _audit_log ((entry -> 'object' ->> 'id'));

-- Its last row. Locked, it makes rows follow each other without gaps; it is the last lock that a transaction takes, for
-- as long as its commit.
create table _audit_head (
  is_only boolean primary key default true check (is_only),
  seq bigint not null,
  hash text not null
);
insert into _audit_head (seq, hash) values (0, current_schema());

-- Bulk reads of the last hour.
create table _audit_reads (key text primary key, at timestamptz not null);

create function _record_audit(entries text[]) returns integer language plpgsql as $record$
declare
  head _audit_head;
  one text;
begin
  select * into strict head from _audit_head for update;
  foreach one in array entries loop
    insert into _audit_log (seq, entry, previous_hash, hash) values (head.seq + 1, one::json, head.hash,
      encode(sha256(convert_to(head.hash || ' ' || (head.seq + 1) || ' ' || one, 'UTF8')), 'hex'))
    returning seq, hash into head.seq, head.hash;
  end loop;
  update _audit_head set seq = head.seq, hash = head.hash;
  return cardinality(entries);
end $record$;

create function _record_read(read_key text, entry text) returns integer language plpgsql as $read$
begin
  if exists (select from _audit_reads where key = read_key and at > now() - interval '1 hour') then
    return 0;
  end if;
  insert into _audit_reads as r (key, at) values (read_key, now())
  on conflict (key) do update set at = now() where r.at <= now() - interval '1 hour';
  if not found then
    return 0;
  end if;
  -- After its own row, and past rows of others, so that no two reads wait for each other.
  delete from _audit_reads where key in (
    select key from _audit_reads where at < now() - interval '1 hour' for update skip locked);
  return _record_audit(array[entry]);
end $read$;
