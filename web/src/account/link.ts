import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

interface Kept {
  link?: string;
}

/**
 * Reads an emailed link's parameters from its fragment, which no server logs. Removes them from the address bar so that
 * they are not bookmarked or shared; they survive a reload.
 */
export function useMailedLink(): URLSearchParams {
  const { hash, pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const kept = state as Kept | null;
  const [link, setLink] = useState(() => hash.slice(1) || kept?.link || '');
  const fresh = hash.slice(1);
  if (fresh && fresh !== link) setLink(fresh);
  useEffect(() => {
    if (fresh) void navigate({ pathname, search }, { replace: true, state: { ...kept, link: fresh } });
  }, [fresh, kept, navigate, pathname, search]);
  return new URLSearchParams(link);
}
