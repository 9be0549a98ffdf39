import { freePorts } from '@arboleda/postgres/free-ports.ts';

/** A port of this machine that is free now; it is not reserved. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0]!;
