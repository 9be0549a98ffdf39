/** Product spec section 5: the pictures that prove a transfer, at most three of 5 MB. */
export const MAX_EVIDENCE_FILES = 3;
export const MAX_EVIDENCE_BYTES = 5_000_000;
