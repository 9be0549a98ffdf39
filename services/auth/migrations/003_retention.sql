-- concurrently
-- What the regular clearing looks for.
create index concurrently if not exists verification_links_by_end on verification_links (expires_at);
create index concurrently if not exists known_networks_by_age on known_networks (seen_at);
