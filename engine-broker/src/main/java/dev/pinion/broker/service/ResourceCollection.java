package dev.pinion.broker.service;

import java.io.IOException;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** A collection of documents that clients read and change. One thread at a time. */
interface ResourceCollection {
  /** One as it stands, or null when there is none. */
  @Nullable String find(String id);

  /** All of them. */
  Collection<String> all();

  /**
   * Creates or changes a document.
   *
   * @param body the document, not checked
   * @throws IOException when it cannot be made durable; nothing has changed then
   */
  ChangeOutcome put(String id, byte[] body) throws IOException;

  /** Deletes an existing document. */
  ChangeOutcome delete(String id) throws IOException;
}
