import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

interface Kept {
  /** What the fragment of a mailed link said. */
  link?: string;
}

/**
 * What a mailed link carries behind its #, where it reaches no server's log. It is taken out of the address bar at
 * once, so that it is neither bookmarked nor shown to others; a reload of the page still has it.
 */
export function useMailedLink(): URLSearchParams {
  const { hash, pathname, search, state } = useLocation();
  const navigate = useNavigate();
  const kept = state as Kept | null;
  const [link, setLink] = useState(() => hash.slice(1) || kept?.link || '');
  const fresh = hash.slice(1);
  // A second mail's link may be opened in the same tab.
  if (fresh && fresh !== link) setLink(fresh);
  useEffect(() => {
    if (fresh) void navigate({ pathname, search }, { replace: true, state: { ...kept, link: fresh } });
  }, [fresh, kept, navigate, pathname, search]);
  return new URLSearchParams(link);
}
