-- The order of values inside documents: numbers by size, strings by their bytes (as hexadecimal digits, which sort
-- alike under every collation). Indexes and queries of documents both go through it.
create function sortable(value jsonb) returns jsonb
  language sql immutable strict parallel safe
  return case jsonb_typeof(value)
    when 'string' then ('"' || encode(convert_to(value #>> '{}', 'UTF8'), 'hex') || '"')::jsonb
    else value
  end;
