package dev.pinion.core.openapi;

import dev.pinion.core.document.DocumentValue;

/**
 * A document of OpenAPI, or one that such a document refers to.
 *
 * @param uri where it came from
 * @param root its value; the pointers of this and what is in it begin with the URI
 */
public record ApiDocument(String uri, DocumentValue root) {}
