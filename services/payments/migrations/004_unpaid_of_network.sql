-- Hash of the buyer's network, until the payment is paid or ten minutes old: see cards/unpaid.ts.
alter table payments add column network_hash text;

create index payments_unpaid_of_network on payments (network_hash, created_at) where network_hash is not null;
