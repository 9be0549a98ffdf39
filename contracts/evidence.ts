/** Product spec section 5: evidence of a transfer, at most three pictures of 5 MB. */
export const MAX_EVIDENCE_FILES = 3;
export const MAX_EVIDENCE_BYTES = 5_000_000;
