import { call } from '../../api/client.ts';
import { upload } from '../../api/upload.ts';
import { type Accepted, photoForm, photoPath, receiptOf, type Send } from './drain.ts';

export const sendAs =
  (token: string): Send =>
  async (item, file, onProgress) => {
    if (item.kind === 'status') {
      const { assignment } = await call('PUT /api/workers/assignments/{id}/status', {
        params: { id: item.occasion.id },
        body: item.body,
        idempotencyKey: item.id,
        headers: { authorization: `Bearer ${token}` },
      });
      return { kind: 'status', assignment };
    }
    const form = photoForm(item, file);
    return receiptOf(await upload<Accepted>({ path: photoPath(item), token, form, onProgress }));
  };
