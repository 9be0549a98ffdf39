import type { DocumentCopies } from '@arboleda/chassis/backup/stores.ts';
import { type DocumentService, hasDocuments, type ServiceName } from '@arboleda/contracts/services.ts';
import { documents as ofMedia } from '@arboleda/media/backup.ts';

/** How the documents of each service that has some are copied. */
const DOCUMENTS: Record<DocumentService, DocumentCopies> = { media: ofMedia };

/** Undefined for services whose records are all plain rows, which need no code of their own. */
export const documentsOf = (service: ServiceName): DocumentCopies | undefined =>
  hasDocuments(service) ? DOCUMENTS[service] : undefined;
