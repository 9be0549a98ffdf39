-- How often an event was begun alone, after it had been in hand when processes died. Only what is under suspicion is here.
create table suspects (
  key text primary key,
  begun int not null
);
