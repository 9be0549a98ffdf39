/** What became of an object of Stripe's that we were shown. */
export type Seen =
  /** It said something new. */
  | 'changed'
  | 'known'
  /** Nothing of ours. */
  | 'stranger'
  /** The same webhook was taken before. */
  | 'duplicate';

/** Who showed it. */
export type Bringer = 'webhook' | 'reconciler' | 'answer';
