-- The mailbox of an address: must match mailboxOf in contracts/mailbox.ts.
create function mailbox(address text) returns text language sql immutable parallel safe as $$
  select
    case
      when domain in ('gmail.com', 'googlemail.com') then replace(untagged, '.', '') || '@gmail.com'
      when domain in ('proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me')
        then regexp_replace(untagged, '[._-]', '', 'g') || '@proton.me'
      when domain in ('icloud.com', 'me.com', 'mac.com') then untagged || '@icloud.com'
      else untagged || '@' || domain
    end
  from (
    select
      regexp_replace(regexp_replace(plain, '@[^@]*$', ''), '(.)\+.*$', '\1') as untagged,
      regexp_replace(regexp_replace(plain, '^.*@', ''), '\.$', '') as domain
    from (select lower(btrim(normalize(address, NFKC))) as plain) normalized
  ) parts
$$;

create index payments_gift_mailbox on payments (mailbox(gift ->> 'recipientEmail')) where gift is not null;
create index payments_giver_mailbox on payments (mailbox(customer ->> 'email')) where gift is not null;
create index transfers_gift_mailbox on transfers (mailbox(gift ->> 'recipientEmail')) where gift is not null;
create index transfers_giver_mailbox on transfers (mailbox(customer ->> 'email')) where gift is not null;
create index transfers_undecided_mailbox on transfers (mailbox(customer ->> 'email')) where decided_at is null;

-- Gifts whose payment intent is being made at Stripe. Each ends with its payment, or an hour later.
create table gift_reservations (
  payment_id text primary key,
  -- Null when the buyer hands it over.
  recipient_email text,
  deliver_on text not null,
  buyer_email text not null,
  at timestamptz not null
);
create index gift_reservations_by_age on gift_reservations (at);
