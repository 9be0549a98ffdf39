import { type Claim as Name, claimMarks } from '@arboleda/contracts/claims.ts';
import type { ReactNode } from 'react';

/** Whether the organization makes a claim, as the gateway wrote it into the page. */
export const isClaimed = (name: Name): boolean =>
  !(globalThis.document?.documentElement.dataset.claimsOff ?? '').split(' ').includes(name);

/** A part of a page that an organization may leave out. Prerendering writes both forms, and the gateway cuts one out. */
export function Claim({ of, otherwise, children }: { of: Name; otherwise?: ReactNode; children: ReactNode }) {
  const isPrerendering = typeof document === 'undefined';
  const isMade = isClaimed(of);
  return (
    <>
      {(isPrerendering || isMade) && <Marked name={of}>{children}</Marked>}
      {(isPrerendering || !isMade) && <Marked name={`no-${of}`}>{otherwise}</Marked>}
    </>
  );
}

function Marked({ name, children }: { name: Name | `no-${Name}`; children: ReactNode }) {
  const { begin, end } = claimMarks(name);
  return (
    <>
      <template {...begin} />
      {children}
      <template {...end} />
    </>
  );
}
