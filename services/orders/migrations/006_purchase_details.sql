-- Fields of the purchase without a column of their own, as its event brought them: `details` in contracts/purchase.ts. Null when the
-- buyer gave none, as in all rows of 1.0.
alter table orders add column details jsonb;

-- Erasing a buyer empties them. Code of 1.0, which may share the table meanwhile, erases the other columns only. Contract, in a
-- later release: a numbered file that drops the trigger and the function.
create function forget_details() returns trigger language plpgsql as $$
begin
  new.details := null;
  return new;
end
$$;
create trigger orders_details_of_erased before update on orders
  for each row when (new.details is not null and new.email_key = 'erased@arboleda.invalid')
  execute function forget_details();
