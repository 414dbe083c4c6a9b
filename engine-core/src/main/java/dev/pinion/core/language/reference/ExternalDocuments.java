package dev.pinion.core.language.reference;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.document.DocumentSyntaxException;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.SourceNode;
import dev.pinion.core.document.SourceText;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.limits.DefinitionLimits;
import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.model.PinnedDocument;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The documents to which a definition and these documents refer, each once. */
public final class ExternalDocuments {
  private final DefinitionLimits limits;
  private final DocumentReader reader;
  private Supplier<DocumentSource> opener = DocumentSource::none;
  private final Map<String, Optional<PinnedDocument>> fetched = new HashMap<>();
  private final Map<String, Optional<ExternalDocument>> known = new HashMap<>();
  private final Map<String, Optional<ExternalDocument>> foreign = new HashMap<>();
  private final List<PinnedDocument> pinned = new ArrayList<>();
  private @Nullable DocumentSource source;
  private long bytes;

  /**
   * A document.
   *
   * @param uri where it came from
   * @param root its value; the pointers of this and what is in it begin with the URI
   * @param diagnostics reports about it
   */
  public record ExternalDocument(String uri, DocumentValue root, Diagnostics diagnostics) {}

  /** Reader of the text of a document. */
  private interface TreeReader {
    SourceNode read(String text, String mediaType) throws DocumentSyntaxException;
  }

  /** The documents of one definition, none so far. */
  public ExternalDocuments(EngineLimits limits) {
    this.limits = limits.definition();
    this.reader = new DocumentReader(limits);
  }

  /** Takes documents from a source, opened for the first of them. */
  public void from(Supplier<DocumentSource> documents) {
    opener = documents;
  }

  /** The documents that were used, in the order of the first use. */
  public List<PinnedDocument> pinned() {
    return List.copyOf(pinned);
  }

  /**
   * The document at a URI; null when there is a problem, which is reported once.
   *
   * @param place the value that refers to it
   * @param diagnostics reports about the document with that value
   */
  public @Nullable ExternalDocument get(String uri, DocumentValue place, Diagnostics diagnostics) {
    return read(known, reader::read, uri, place, diagnostics);
  }

  /**
   * The document at a URI, in another language than that of definitions; null when there is a
   * problem, which is reported once.
   *
   * @param place the value that refers to it
   * @param diagnostics reports about the document with that value
   */
  public @Nullable ExternalDocument foreign(
      String uri, DocumentValue place, Diagnostics diagnostics) {
    return read(foreign, reader::readForeign, uri, place, diagnostics);
  }

  private @Nullable ExternalDocument read(
      Map<String, Optional<ExternalDocument>> among,
      TreeReader trees,
      String uri,
      DocumentValue place,
      Diagnostics diagnostics) {
    String raw = RepositoryUris.raw(uri);
    Optional<ExternalDocument> found = among.get(raw);
    if (found == null) {
      PinnedDocument document = fetched(raw, place, diagnostics);
      found =
          Optional.ofNullable(
              document == null ? null : parsed(trees, document, place, diagnostics));
      among.put(raw, found);
    }
    return found.orElse(null);
  }

  /**
   * The text at a URI, whatever it is written in; null when there is a problem, which is reported
   * once.
   *
   * @param place the value that refers to it
   * @param diagnostics reports about the document with that value
   */
  @Nullable String text(String uri, DocumentValue place, Diagnostics diagnostics) {
    PinnedDocument document = fetched(RepositoryUris.raw(uri), place, diagnostics);
    return document == null ? null : document.text();
  }

  private @Nullable PinnedDocument fetched(
      String uri, DocumentValue place, Diagnostics diagnostics) {
    Optional<PinnedDocument> found = fetched.get(uri);
    if (found == null) {
      found = Optional.ofNullable(fetch(uri, place, diagnostics));
      fetched.put(uri, found);
    }
    return found.orElse(null);
  }

  /**
   * The absolute URI of a reference, or null when it has none, which is reported.
   *
   * @param base the document that has the reference, or null for a definition
   */
  public static @Nullable String resolve(
      DocumentValue reference, @Nullable String base, Diagnostics diagnostics) {
    try {
      URI uri = new URI(reference.text());
      if (!uri.isAbsolute() && base != null) {
        return canonical(new URI(base).resolve(uri));
      }
      if (uri.isAbsolute() && !uri.isOpaque()) {
        return canonical(uri);
      }
    } catch (URISyntaxException e) {
      // reported below
    }
    diagnostics.value(
        reference,
        "expected an absolute URI of scheme file, http or https without variables, found "
            + ValueDescription.describe(reference.json()));
    return null;
  }

  /**
   * The same for a reference to a whole document: a fragment would be ignored.
   *
   * @param base the document that has the reference, or null for a definition
   */
  public static @Nullable String resolveWhole(
      DocumentValue reference, @Nullable String base, Diagnostics diagnostics) {
    if (reference.text().indexOf('#') < 0) {
      return resolve(reference, base, diagnostics);
    }
    diagnostics.value(
        reference,
        "expected the URI of a whole document, without a fragment, found "
            + ValueDescription.describe(reference.json()));
    return null;
  }

  /** Files have one form, with an empty host. */
  private static String canonical(URI uri) {
    String text = uri.toString();
    boolean file = "file".equalsIgnoreCase(uri.getScheme()) && uri.getRawAuthority() == null;
    return file ? "file://" + uri.getRawPath() : text;
  }

  private @Nullable PinnedDocument fetch(String uri, DocumentValue place, Diagnostics diagnostics) {
    if (fetched.size() >= limits.maxDocuments()) {
      diagnostics.value(
          place,
          "expected at most "
              + limits.maxDocuments()
              + " documents (definition.maxDocuments), found another one, "
              + uri);
      return null;
    }
    try {
      PinnedDocument document = source().get(uri);
      bytes += document.text().getBytes(StandardCharsets.UTF_8).length;
      if (bytes > limits.maxDocumentBytes()) {
        throw new UnavailableDocumentException(
            "expected documents of at most "
                + limits.maxDocumentBytes()
                + " bytes together (definition.maxDocumentBytes), found more with "
                + uri);
      }
      pinned.add(document);
      return document;
    } catch (UnavailableDocumentException e) {
      diagnostics.value(place, e.problem());
      return null;
    }
  }

  private DocumentSource source() {
    DocumentSource open = source;
    if (open == null) {
      open = opener.get();
      source = open;
    }
    return open;
  }

  private static @Nullable ExternalDocument parsed(
      TreeReader trees, PinnedDocument document, DocumentValue place, Diagnostics diagnostics) {
    String pointer = document.uri() + "#";
    Diagnostics inside = diagnostics.of(new SourceText(document.text()), place);
    try {
      DocumentValue root =
          new DocumentValue(trees.read(document.text(), document.mediaType()), pointer, 0);
      return new ExternalDocument(document.uri(), root, inside);
    } catch (DocumentSyntaxException e) {
      inside.at(e.offset(), pointer, e.problem());
      return null;
    }
  }
}
