create table package_purchases (
  id text primary key,
  order_id text not null,
  photo_package_type text not null,
  price_id text not null,
  -- What the price was when it was asked for: what is paid is compared with it.
  amount_minor bigint not null,
  currency text not null,
  customer jsonb not null,
  language text not null,
  status text not null,
  session_id text unique,
  checkout_url text,
  -- Stripe's payment intent.
  transaction_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  purchased_at timestamptz
);

-- One package of an order is on sale or active at a time.
create unique index package_purchases_current on package_purchases (order_id)
  where status in ('creating', 'open', 'processing', 'active');
create index package_purchases_order on package_purchases (order_id);
create index package_purchases_transaction on package_purchases (transaction_id);
