-- Strangers can send pictures: what waits for a decision is bounded, in all and by network.
alter table transfers
  add column network_hash text,
  add column evidence_bytes integer not null default 0;

create index transfers_undecided on transfers (created_at) where decided_at is null;
