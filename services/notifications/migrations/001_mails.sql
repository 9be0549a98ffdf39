-- Every mail there ever was, once for each event, kind and recipient: the id is made of these three.
create table mails (
  id text primary key,
  event_id text not null,
  kind text not null,
  recipient_address text not null,
  recipient_name text not null,
  language text not null,
  facts jsonb not null,
  correlation_id text not null,
  queued_at timestamptz not null default now(),
  attempts integer not null default 0,
  -- While this is ahead somebody is handing the mail over.
  leased_until timestamptz,
  sent_at timestamptz,
  dropped_at timestamptz,
  dropped_because text
);
create index mails_waiting on mails (queued_at) where sent_at is null and dropped_at is null;

-- What mails about an order need to know of it, from order.created.
create table orders (
  id text primary key,
  token text not null,
  customer_name text not null,
  customer_email text not null,
  language text not null,
  trees integer not null,
  region text
);

create table photos (
  id text primary key,
  order_id text not null,
  event_id text not null,
  uploaded_at timestamptz not null,
  told_by text references mails
);
create index photos_untold on photos (order_id) where told_by is null;

-- The language workers are written to, from worker.registered and worker.updated.
create table workers (
  id text primary key,
  language text not null,
  sequence integer not null
);
