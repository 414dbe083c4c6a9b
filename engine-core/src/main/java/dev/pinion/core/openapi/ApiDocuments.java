package dev.pinion.core.openapi;

import org.jspecify.annotations.Nullable;

/** The documents to which a document of OpenAPI refers. */
@FunctionalInterface
public interface ApiDocuments {
  /**
   * A document; null when there is none, which is reported.
   *
   * @param uri its URI, perhaps relative to that of the document with the reference; no fragment
   * @param reference the value that refers to it
   */
  @Nullable ApiDocument get(String uri, ApiValue reference);
}
