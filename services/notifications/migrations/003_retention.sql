-- concurrently
-- What the regular clearing looks for, and nothing that it has cleared already.
create index concurrently if not exists mails_remembered on mails (queued_at)
  where recipient_address <> 'erased@arboleda.invalid';
