export const NODE_FLAGS: string[];
export function lowMemoryEnv(root: string): Record<string, string>;
