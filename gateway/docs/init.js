/* global document, SwaggerUIBundle -- runs in the browser, beside the bundle */
SwaggerUIBundle({
  url: '/api/openapi.json',
  domNode: document.getElementById('swagger-ui'),
  deepLinking: true,
  displayRequestDuration: true,
  validatorUrl: null,
});
