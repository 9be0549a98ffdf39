-- The same order as before. For a function in SQL PostgreSQL looks anew, for every field of every index and in every write, whether it
-- could put the body in the place of the call, and never can: that took as long as the write itself.
create or replace function sortable(value jsonb) returns jsonb
  language plpgsql immutable strict parallel safe
as $$
begin
  if jsonb_typeof(value) = 'string' then
    return ('"' || encode(convert_to(value #>> '{}', 'UTF8'), 'hex') || '"')::jsonb;
  end if;
  return value;
end
$$;
