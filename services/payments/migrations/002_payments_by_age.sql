-- Operators see the payments of the last day by their status.
create index payments_created_at on payments (created_at);
