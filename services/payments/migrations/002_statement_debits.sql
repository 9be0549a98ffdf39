-- Money that left the account: see statements/returns.ts.
alter table statements add column draft_debits json;
-- The bank says that the credit takes a debit back.
alter table statement_rows add column is_reversal boolean not null default false;

create table statement_debits (
  -- Derived from the row, like that of a credit.
  id text primary key,
  statement_id text not null references statements (id),
  position integer not null,
  bank text not null,
  day date not null,
  -- Positive.
  amount_minor bigint not null check (amount_minor > 0),
  currency text not null,
  text text not null,
  name text,
  number text,
  refs text[] not null,
  is_reversal boolean not null default false,
  -- `return`: of the credit or order; `refund`: that an admin sent by hand; `other`: none of these.
  status text not null default 'open' check (status in ('open', 'return', 'refund', 'other')),
  row_id text,
  order_id text,
  refund_id text references refunds (id),
  decided_by jsonb,
  decided_at timestamptz,
  check ((status = 'refund') = (refund_id is not null) or status = 'return')
);

create index statement_debits_open on statement_debits (day, id) where status = 'open';
create index statement_debits_open_sum on statement_debits (amount_minor, currency, day) where status = 'open';
create index statement_debits_done on statement_debits (decided_at, id) where status <> 'open';
create index statement_debits_refs on statement_debits using gin (refs) where refs <> '{}';
create index statement_debits_row on statement_debits (row_id) where row_id is not null;
create unique index statement_debits_refund on statement_debits (refund_id) where refund_id is not null;
create index statement_debits_order on statement_debits (order_id) where order_id is not null;

-- Credits by reference or sum, whatever was decided of them.
create index statement_rows_refs on statement_rows using gin (refs) where refs <> '{}';
create index statement_rows_sum on statement_rows (amount_minor, currency, day);

-- Paid orders of which admins were told that a debit may be their money. Each pair is told once.
create table suspected_returns (
  debit_id text not null references statement_debits (id),
  order_id text not null,
  at timestamptz not null,
  settled_at timestamptz,
  primary key (debit_id, order_id)
);
create index suspected_returns_order on suspected_returns (order_id);
