/* global window, document, MessageChannel, clearTimeout */

const LOAD_TIMEOUT_MS = 15_000;

/**
 * A frame of the sandbox's origin inside the shop's page. Styled through CSSOM only, which a strict style-src
 * allows. It accepts messages only from the frame's window and origin, and then switches to a private port.
 */
export function openFrame({ base, path, title, onEvent, onLoadError = () => {} }) {
  const element = document.createElement('iframe');
  element.title = title;
  element.src = base + path;
  element.setAttribute('allow', 'payment');
  element.setAttribute('scrolling', 'no');
  Object.assign(element.style, {
    border: '0',
    display: 'block',
    width: '100%',
    margin: '0',
    background: 'transparent',
  });

  let port;
  let calls = 0;
  let closed = false;
  const unsent = [];
  const waiting = new Map();
  const timeout = setTimeout(onLoadError, LOAD_TIMEOUT_MS);

  function receive({ data }) {
    if (data.event) return onEvent(data.event, data.payload);
    const resolve = waiting.get(data.id);
    waiting.delete(data.id);
    resolve?.(data.result);
  }
  function greet(message) {
    if (
      message.source !== element.contentWindow ||
      message.origin !== base ||
      message.data !== 'stripe-sandbox:hello'
    ) {
      return;
    }
    clearTimeout(timeout);
    // A frame that is moved in the page reloads, and needs a new port.
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = receive;
    element.contentWindow.postMessage('stripe-sandbox:port', base, [channel.port2]);
    for (const call of unsent.splice(0)) port.postMessage(call);
  }
  window.addEventListener('message', greet);

  return {
    element,
    /** Calls a method in the frame, after it has loaded. */
    call(method, args) {
      if (closed) return Promise.reject(new Error('The element was removed from the page.'));
      const id = ++calls;
      return new Promise((resolve) => {
        waiting.set(id, resolve);
        const message = { id, method, args };
        if (port) port.postMessage(message);
        else unsent.push(message);
      });
    },
    close() {
      closed = true;
      clearTimeout(timeout);
      window.removeEventListener('message', greet);
      port?.close();
      element.remove();
      for (const resolve of waiting.values()) {
        resolve({
          error: { type: 'invalid_request_error', message: 'The element was removed from the page.' },
        });
      }
    },
  };
}
