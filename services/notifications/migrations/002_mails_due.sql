-- Emails are taken from their own table, earliest first; one that failed has its next try in send_after.
-- The trace in which an email was queued.
alter table mails add column traceparent text;
create index mails_due on mails (coalesce(send_after, timestamptz '-infinity'))
  where sent_at is null and dropped_at is null;
drop index mails_delayed;
