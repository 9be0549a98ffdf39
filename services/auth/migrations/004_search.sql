-- Lower case without accents, apostrophes and dashes of one kind, then the same with letters and digits alone: as
-- `folded` and `bare` of contracts/search.ts.
create or replace function search_text(value text) returns text language sql immutable parallel safe as $$
  select plain || E'\n' || regexp_replace(plain, '[^[:alnum:]\n]', '', 'g')
  from (
    select replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(value, NFKD), '[\u0300-\u036f]', '', 'g')),
      'đðøłħıŋ’‘ʼ`´‐‑‒–—−', 'ddolhin''''''''''------'
    ), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th') as plain
  ) folded
$$;
