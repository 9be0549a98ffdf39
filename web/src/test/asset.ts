/** Replaces a picture, font or style sheet: an address as text, and every class by its own name. */
const asset = new Proxy(
  {},
  {
    get: (_target, key) => {
      if (key === Symbol.toPrimitive || key === 'toString') return () => 'asset';
      return typeof key === 'string' ? key : undefined;
    },
  },
);

export default asset;
