/** File in a data folder with the demo's progress; missing without a demo. */
export const DEMO_FILE = 'demo.json';
