import { PHOTO_FILES } from '../../api/fuzz/photo-files.ts';
import type { Cast } from './field.ts';

/** 20,575 pesos: one tree. */
const ONE_TREE = '20.575,00';
const ONE_TREE_MINOR = 2_057_500;

/** Bank statements with rows of every kind, one of them not confirmed. */
export async function makeStatements({ driver, people }: Cast): Promise<void> {
  const { call } = driver;
  const token = people.finance;
  const announce = async (name: string, reference: string) => {
    const { orderId } = await driver.announce(`statement-${name}@fixture.test`, {
      trees: 1,
      name: `${name} Prueba`,
      reference,
      evidence: [{ name: 'proof.png', mimeType: 'image/png', buffer: PHOTO_FILES.png }],
    });
    return orderId;
  };
  const { referenceNumber: reference } = await call('GET /api/manual-payments/reference');
  const { referenceNumber: surely } = await call('GET /api/manual-payments/reference');
  const approved = await announce('approved', reference);
  await announce('sure', surely);
  const { referenceNumber: perhaps } = await call('GET /api/manual-payments/reference');
  await announce('perhaps', perhaps);
  const [linked, short, split] = [
    await announce('linked', 'LINKED-1'),
    await announce('short', 'SHORT-1'),
    await announce('split', 'SPLIT-1'),
  ];
  const day = (text: string) => `15/11/2026;${text}`;
  const lines = [
    day(`TRANSFERENCIA ${reference};${ONE_TREE}`),
    day(`TRANSFERENCIA ${surely};${ONE_TREE}`),
    day(`TRANSFERENCIA ${perhaps};15.000,00`),
    day(`linked;${ONE_TREE}`),
    day('short;10.000,00'),
    day('halves;41.150,00'),
    day('interest;812,00'),
    day('kept;50.000,00'),
    day('reopened;33.000,00'),
    day('unknown;77.000,00'),
  ];
  const upload = async (rows: readonly string[], name: string) => {
    const body = new FormData();
    body.append('statement', new Blob([['Fecha;Concepto;Valor', ...rows, ''].join('\n')]), name);
    return (await call('POST /api/admin/statements', { token, body })).statement.statementId;
  };
  const id = await upload(lines, 'noviembre.csv');
  await call('POST /api/admin/statements/{id}/confirm', { token, params: { id } });

  const rows: { rowId: string; text: string }[] = [];
  for (const list of ['sure', 'perhaps', 'unknown'] as const)
    rows.push(...(await call('GET /api/admin/statement-rows', { token, query: { list } })).rows);
  const rowOf = (text: string) => rows.find((row) => row.text.includes(text))!.rowId;
  await call('POST /api/admin/statement-rows/approve', {
    token,
    body: { rows: [{ rowId: rowOf(reference), orderId: approved }] },
  });
  const link = (rowId: string, orderId: string, choice?: 'wait') =>
    call('POST /api/admin/statement-rows/link', {
      token,
      body: { rowIds: [rowId], orderId, ...(choice && { choice }) },
    });
  await link(rowOf('linked'), linked);
  await link(rowOf('short'), short, 'wait');
  const { rows: parts } = await call('POST /api/admin/statement-rows/split', {
    token,
    body: { rowId: rowOf('halves'), amounts: [ONE_TREE_MINOR, ONE_TREE_MINOR] },
  });
  await link(parts.find(({ partOf }) => partOf !== undefined)!.rowId, split);
  const reason = 'Interest of the account';
  await call('POST /api/admin/statement-rows/ignore', {
    token,
    body: { rowIds: [rowOf('interest')], reason },
  });
  for (const text of ['kept', 'reopened'])
    await call('POST /api/admin/statement-rows/keep', { token, body: { rowIds: [rowOf(text)] } });
  await call('POST /api/admin/statement-rows/undo', { token, body: { rowIds: [rowOf('reopened')] } });
  await upload([day(`draft;${ONE_TREE}`)], 'borrador.csv');
}
