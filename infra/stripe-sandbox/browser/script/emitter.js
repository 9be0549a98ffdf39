/** `on`, `once`, `off`, like Stripe's elements. */
export function emitter() {
  const handlers = new Map();
  const of = (event) => handlers.get(event) ?? [];
  return {
    emit(event, payload) {
      for (const { handler } of [...of(event)]) handler(payload);
    },
    on(event, handler, once = false) {
      const wrapped = once
        ? (payload) => {
            this.off(event, handler);
            handler(payload);
          }
        : handler;
      handlers.set(event, [...of(event), { original: handler, handler: wrapped }]);
    },
    off(event, handler) {
      handlers.set(event, handler ? of(event).filter(({ original }) => original !== handler) : []);
    },
  };
}
