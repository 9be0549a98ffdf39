import type { ReactNode } from 'react';

/** A person's name above their address. */
export const Person = ({ name, email, note }: { name: string; email: string; note?: ReactNode }) => (
  <span>
    <strong>{name}</strong>
    {note && <> {note}</>}
    <br />
    <span className="quiet">{email}</span>
  </span>
);
