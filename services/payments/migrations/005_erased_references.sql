-- Transfers of donors who were erased before this version: a reference that they typed themselves may say who they are. One of
-- ours stays, as `referenceOrigin` in transfers/transfer.ts tells them apart.
update transfers set reference = null, reference_key = null
where customer ->> 'email' = 'erased@arboleda.invalid' and reference is not null
  and not coalesce(
    reference_key ~ '^ARB[23456789ACDEFGHJKMNPQRTUVWXYZ]{6}$' and (
      select sum((position(substr(reference_key, 3 + place, 1) in '23456789ACDEFGHJKMNPQRTUVWXYZ') - 1) * place) % 29 = 0
      from generate_series(1, 6) as place
    ),
    false
  );
