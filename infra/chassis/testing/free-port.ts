import { freePorts } from '@arboleda/postgres/free-ports.ts';

/** A port of this machine that nobody listens on; nobody is kept from taking it either. */
export const freePort = async (): Promise<number> => (await freePorts(1))[0]!;
