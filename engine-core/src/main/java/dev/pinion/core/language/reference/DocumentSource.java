package dev.pinion.core.language.reference;

import dev.pinion.core.model.PinnedDocument;
import java.util.List;

/**
 * Source of the documents to which one definition refers. Used by the thread that compiles the
 * definition; may block.
 */
public interface DocumentSource extends AutoCloseable {
  /**
   * A document.
   *
   * @param uri an absolute URI
   * @throws UnavailableDocumentException when there is none
   */
  PinnedDocument get(String uri) throws UnavailableDocumentException;

  @Override
  default void close() {}

  /** No documents, as nobody has allowed any. */
  static DocumentSource none() {
    return uri -> {
      throw new UnavailableDocumentException(
          "expected a document below one of the folders and URLs of --documents (none), found "
              + uri);
    };
  }

  /** The documents that were kept with a definition, and no others. */
  static DocumentSource kept(List<PinnedDocument> documents) {
    List<PinnedDocument> all = List.copyOf(documents);
    return uri -> {
      for (PinnedDocument each : all) {
        if (each.uri().equals(uri)) {
          return each;
        }
      }
      throw new UnavailableDocumentException(
          "expected the document "
              + uri
              + " to be kept with the definition, found none: deploy the definition");
    };
  }
}
