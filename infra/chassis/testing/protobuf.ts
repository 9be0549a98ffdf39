/** A protobuf field: a number, or bytes of a text or a message. */
export interface Field {
  number: number;
  value: number | Uint8Array;
}

/** Parses a message without its schema: https://protobuf.dev/programming-guides/encoding/ */
export function fieldsOf(message: Uint8Array): Field[] {
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength);
  const fields: Field[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = view.getUint8(at++);
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  const bytes = (length: number): Uint8Array => message.subarray(at, (at += length));
  const read = (wireType: number): number | Uint8Array => {
    if (wireType === 0) return varint();
    if (wireType === 1) return bytes(8);
    if (wireType === 2) return bytes(varint());
    if (wireType === 5) return bytes(4);
    throw new Error(`wire type ${wireType} is not read here`);
  };
  while (at < message.length) {
    const tag = varint();
    fields.push({ number: Math.floor(tag / 8), value: read(tag % 8) });
  }
  return fields;
}

export const bytesOf = (fields: readonly Field[], number: number): Uint8Array[] =>
  fields.flatMap((field) =>
    field.number === number && typeof field.value !== 'number' ? [field.value] : [],
  );

export const textOf = (fields: readonly Field[], number: number): string =>
  Buffer.from(bytesOf(fields, number)[0] ?? []).toString();
