-- All emails, once per event, kind and recipient, from which the id is derived.
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
  -- Set while the email is delayed: its job is added then, or earlier.
  send_after timestamptz,
  -- Lease of the process that is sending it.
  leased_until timestamptz,
  sent_at timestamptz,
  dropped_at timestamptz,
  dropped_because text,

  -- Shown to admins, and needed for resending.
  order_id text,
  -- For emails about an account.
  account_id text,
  -- About the order, to whoever it was given to.
  to_gift_recipient boolean not null default false,
  -- The mail server's last answer, the bounce, or why it was not sent. May contain personal data.
  error text,
  bounced_at timestamptz,
  resend_of text references mails,
  -- "customer" or "admin", for a resent email.
  asked_by text,
  state text not null generated always as (
    case
      when bounced_at is not null then 'bounced'
      when sent_at is not null then 'sent'
      when dropped_at is null then 'waiting'
      when dropped_because = 'refused' then 'refused'
      else 'pointless'
    end
  ) stored
);
create index mails_waiting on mails (queued_at) where sent_at is null and dropped_at is null;
create index mails_delayed on mails (send_after) where send_after is not null;
create index mails_newest on mails (queued_at desc, id desc);
create index mails_by_state on mails (state, queued_at desc, id desc);
create index mails_by_order on mails (order_id, queued_at desc, id desc);
create index mails_by_order_end on mails (right(order_id, 6));
create index mails_by_address on mails (lower(recipient_address) text_pattern_ops);
create index mails_by_account on mails (account_id) where account_id is not null;
create index mails_by_origin on mails (resend_of) where resend_of is not null;
-- Serves the retention job; excludes rows it has cleared already.
create index mails_remembered on mails (queued_at) where recipient_address <> 'erased@arboleda.invalid';

-- The newest copy of an order, from payment.submitted (sequence -1), order.created and order.updated.
create table orders (
  id text primary key,
  token text not null,
  customer_name text not null,
  customer_email text not null,
  language text not null,
  trees integer not null,
  region text,
  sequence integer not null default 0,
  location text,
  latitude double precision,
  longitude double precision,
  -- From order.status_changed and workers' steps.
  status_revision integer not null default 0,
  planted_at timestamptz,
  -- Nobody is to plant it; and whether that is so because the donor withdraws.
  withdrawn boolean not null default false,
  withdraws boolean not null default false,
  -- The worker, by the latest decision, with its status revision.
  planter_revision integer not null default 0,
  worker_id text,
  worker_code text,
  worker_name text,
  worker_email text,
  worker_region text
);

create table photos (
  id text primary key,
  order_id text not null,
  event_id text not null,
  filename text not null,
  uploaded_at timestamptz not null,
  told_by text references mails,
  hidden boolean not null default false,
  -- The photo's version of the latest visibility event; older ones are ignored.
  hidden_sequence integer not null default 0
);
create index photos_untold on photos (order_id) where told_by is null;

-- The newest gift.scheduled or gift.cancelled of an order; a cancelled or erased one has no recipient.
create table gifts (
  order_id text primary key,
  revision integer not null,
  event_id text,
  -- waiting, queued, delivered, bounced, refused or cancelled
  state text not null,
  recipient_name text,
  -- Null also when the buyer hands it over.
  recipient_email text,
  language text,
  -- Null once it is not needed: the email has it.
  message text,
  card text,
  -- Null once the buyer is erased.
  from_name text,
  trees integer,
  -- Number of the recipient's link, and its token.
  link integer,
  token text,
  deliver_at timestamptz,
  -- When the buyer gave this address.
  addressed_at timestamptz,
  mail_id text references mails,
  -- The account that took the gift, and where it gets updates.
  account_id text,
  claimed_name text,
  claimed_email text,
  claimed_language text,
  claimed_at timestamptz,
  -- The recipient wants no emails.
  declined_at timestamptz,
  -- Photo packages that the recipient paid for.
  purchases text[] not null default '{}'
);
create index gifts_due on gifts (deliver_at) where state = 'waiting';
create index gifts_by_email on gifts (recipient_email) where recipient_email is not null;
create index gifts_by_account on gifts (account_id) where account_id is not null;
create index gifts_by_mail on gifts (mail_id) where mail_id is not null;

-- Addresses that want no gifts, or were erased, by a keyed hash: a refusal outlasts the erasure of its address.
create table gift_addresses (
  hash text primary key,
  declined_at timestamptz,
  erased_at timestamptz
);
-- The key of those hashes. It must outlast all secrets, so it is here.
create table hash_key (key text not null);
insert into hash_key (key) values (gen_random_uuid()::text || gen_random_uuid()::text);

-- Contact data of workers, from worker.registered and worker.updated.
create table workers (
  id text primary key,
  language text not null,
  name text,
  email text,
  sequence integer not null
);

-- Per address: whether updates are wanted, the token to unsubscribe, and whether emails bounced.
create table addresses (
  address text primary key,
  news_token text not null unique,
  news boolean not null default true,
  failed_at timestamptz
);

-- Erased accounts: earlier requests that arrive later are not emailed.
create table erased_accounts (id text primary key);
