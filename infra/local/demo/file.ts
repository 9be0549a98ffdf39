/** In a data folder: how far its demonstration got; there is none where none was made. */
export const DEMO_FILE = 'demo.json';
