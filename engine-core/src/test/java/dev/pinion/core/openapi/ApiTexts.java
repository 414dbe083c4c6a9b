package dev.pinion.core.openapi;

import dev.pinion.core.document.DocumentReader;
import dev.pinion.core.document.DocumentSyntaxException;
import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.limits.EngineLimits;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Documents of OpenAPI as texts in YAML, and the problems that are found in them. */
final class ApiTexts implements ApiDocuments, ApiProblems {
  private final Map<String, ApiDocument> documents = new LinkedHashMap<>();
  private final List<String> problems = new ArrayList<>();

  /** Adds a document; the first one has the operations. */
  ApiTexts with(String uri, String yaml) {
    try {
      DocumentValue root =
          new DocumentValue(
              new DocumentReader(EngineLimits.defaults()).readForeign(yaml, DocumentReader.YAML),
              uri + "#",
              0);
      documents.put(uri, new ApiDocument(uri, root));
      return this;
    } catch (DocumentSyntaxException e) {
      throw new IllegalArgumentException(e.problem() + " at " + e.offset() + " of " + yaml, e);
    }
  }

  /** The operations of the first document, or null when there is a problem. */
  @Nullable ApiIndex index() {
    return ApiIndex.of(documents.values().iterator().next(), this);
  }

  /** A reader of the first document. */
  ApiReader reader() {
    return new ApiReader(Objects.requireNonNull(index(), problems::toString), this, this);
  }

  /** The operation {@code act} of the first document, or null when there is a problem. */
  @Nullable ApiOperation operation() {
    ApiReader reader = reader();
    return reader.read(reader.find("act").getFirst());
  }

  /** The operation, when there is no problem. */
  ApiOperation sound() {
    ApiOperation operation = operation();
    return Objects.requireNonNull(operation, problems::toString);
  }

  List<String> problems() {
    return problems;
  }

  @Override
  public @Nullable ApiDocument get(String uri, ApiValue reference) {
    String absolute = URI.create(reference.document().uri()).resolve(uri).toString();
    ApiDocument found = documents.get(absolute);
    if (found == null) {
      report(reference, "no document " + absolute);
    }
    return found;
  }

  @Override
  public void report(ApiValue at, String message) {
    problems.add(at.value().pointer() + ": " + message);
  }
}
