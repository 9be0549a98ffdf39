import { useQuery } from '@tanstack/react-query';
import { call } from '../../../api/client.ts';
import { changeDraft, currentDraft, useDraft } from '../draft.ts';

export const REFERENCE_KEY = ['transfer-reference'];

/** Unique transfer reference, requested once per order and stored in the draft. */
export function useReference(wanted: boolean) {
  const { reference } = useDraft();
  const { isError, refetch } = useQuery({
    queryKey: REFERENCE_KEY,
    queryFn: async ({ signal }) => {
      const { referenceNumber } = await call('GET /api/manual-payments/reference', { signal });
      if (!currentDraft().reference) changeDraft({ reference: referenceNumber });
      return referenceNumber;
    },
    enabled: wanted && !reference,
    staleTime: Infinity,
  });
  return { reference, isError: isError && !reference, refetch: () => void refetch() };
}
