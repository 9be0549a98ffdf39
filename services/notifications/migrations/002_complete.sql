-- What admins see of a mail, and what sending it again needs.
alter table mails
  add column order_id text,
  -- Of mails about an account.
  add column account_id text,
  -- What the mail server answered last; why it came back or was not sent. May name the person.
  add column error text,
  add column bounced_at timestamptz,
  add column resend_of text references mails,
  -- "customer" or "admin", of a repetition.
  add column asked_by text;
update mails set order_id = facts ->> 'orderId' where facts ? 'orderId';
alter table mails add column state text not null generated always as (
  case
    when bounced_at is not null then 'bounced'
    when sent_at is not null then 'sent'
    when dropped_at is null then 'waiting'
    when dropped_because = 'refused' then 'refused'
    else 'pointless'
  end
) stored;
create index mails_newest on mails (queued_at desc, id desc);
create index mails_by_state on mails (state, queued_at desc, id desc);
create index mails_by_order on mails (order_id, queued_at desc, id desc);
create index mails_by_order_end on mails (right(order_id, 6));
create index mails_by_address on mails (lower(recipient_address) text_pattern_ops);
create index mails_by_account on mails (account_id) where account_id is not null;
create index mails_by_origin on mails (resend_of) where resend_of is not null;

-- The newest that was heard of an order: from payment.submitted (sequence -1), order.created and order.updated.
alter table orders
  add column sequence integer not null default 0,
  add column location text,
  add column latitude double precision,
  add column longitude double precision,
  -- From order.status_changed and the steps of the work.
  add column status_revision integer not null default 0,
  add column planted_at timestamptz,
  add column withdrawn boolean not null default false,
  -- Who is to plant, by the newest decision that was heard: the status revision it was made on.
  add column planter_revision integer not null default 0,
  add column worker_id text,
  add column worker_code text,
  add column worker_name text,
  add column worker_email text,
  add column worker_region text;

alter table photos add column hidden boolean not null default false;

alter table workers
  add column name text,
  add column email text;

-- What is known of an address: whether news go there, by which token they are stopped, whether mail came back from it.
create table addresses (
  address text primary key,
  news_token text not null unique,
  news boolean not null default true,
  failed_at timestamptz
);

-- Accounts whose owners asked to be forgotten: what was asked for them before and arrives later is not mailed.
create table erased_accounts (id text primary key);
