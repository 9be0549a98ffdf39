/* global window */

/**
 * Connects to the page that embeds this frame, and answers its calls.
 * @param methods by name; their results are returned to the caller
 * @returns tell(event, payload)
 */
export function answerParent(methods) {
  let port;
  const untold = [];
  window.addEventListener('message', (message) => {
    if (message.source !== window.parent || message.data !== 'stripe-sandbox:port') return;
    port = message.ports[0];
    port.onmessage = async ({ data: { id, method, args } }) => {
      const result = await methods[method]?.(args);
      port.postMessage({ id, result: result ?? {} });
    };
    for (const event of untold.splice(0)) port.postMessage(event);
  });
  window.parent.postMessage('stripe-sandbox:hello', '*');
  return (event, payload) => {
    if (port) port.postMessage({ event, payload });
    else untold.push({ event, payload });
  };
}
