create table photos (
  id text collate "C" primary key,
  version integer not null,
  filename text not null unique,
  -- One phone's own id of a photo, for what it was sent.
  client_key text unique,
  content_hash text not null,
  order_id text not null,
  uploaded_at timestamptz not null,
  state text not null,
  flags text[] not null,
  is_hidden boolean not null,
  -- The pictures to be made next, and from when they may be leased; a step without a time was given up.
  step text,
  due_at timestamptz,
  tries integer not null,
  -- The context of the upload, and why it was given up.
  work jsonb,
  -- What is only shown.
  details jsonb not null
);

create index photos_content on photos (content_hash);
create index photos_order on photos (order_id, uploaded_at, id);
create index photos_work on photos (step, due_at) where step is not null;

-- An admin looks at flagged photos, at those of one flag, and at hidden ones.
create index photos_flagged on photos (uploaded_at, id) where flags <> '{}';
create index photos_hidden on photos (uploaded_at, id) where flags <> '{}' and is_hidden;
create index photos_far_from_place on photos (uploaded_at, id) where flags @> '{far-from-place}';
create index photos_taken_before_order on photos (uploaded_at, id) where flags @> '{taken-before-order}';
create index photos_used_elsewhere on photos (uploaded_at, id) where flags @> '{used-elsewhere}';
create index photos_after_reassignment on photos (uploaded_at, id) where flags @> '{after-reassignment}';
create index photos_cannot_be_shown on photos (uploaded_at, id) where flags @> '{cannot-be-shown}';
