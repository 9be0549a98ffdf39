-- What Stripe's charge says besides the payment: its fee, once settled, and its receipt.
alter table payments add column charge jsonb;
-- When Stripe is to be asked about it next; null when there is nothing to ask.
alter table payments add column charge_due_at timestamptz;
-- How new the copy of the customer is: an older event about them changes nothing.
alter table payments add column customer_at timestamptz;

update payments set charge_due_at = now() where status = 'succeeded';
create index payments_charge_due on payments (charge_due_at) where charge_due_at is not null;
create index payments_customer on payments ((customer ->> 'email'));
