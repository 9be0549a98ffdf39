export const NODE_FLAGS: string[];
export function thriftyEnvironment(root: string): Record<string, string>;
