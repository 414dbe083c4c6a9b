package dev.pinion.core.language.call;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.language.field.Diagnostics;
import dev.pinion.core.language.reference.ExternalDocuments;
import dev.pinion.core.language.reference.ExternalDocuments.ExternalDocument;
import dev.pinion.core.openapi.ApiDocument;
import dev.pinion.core.openapi.ApiDocuments;
import dev.pinion.core.openapi.ApiProblems;
import dev.pinion.core.openapi.ApiValue;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The documents that one call needs: that with its operation, and those to which they refer.
 * Problems of the first are reported at the call.
 */
final class OpenApiDocuments implements ApiDocuments, ApiProblems {
  private final ExternalDocuments documents;
  private final ApiDocument first;
  private final Map<String, Diagnostics> reports = new HashMap<>();

  /**
   * The documents of a call.
   *
   * @param first the document with the operation
   * @param call value of the definition at which problems of that document are reported
   * @param diagnostics reports about the definition
   */
  OpenApiDocuments(
      ExternalDocuments documents,
      ExternalDocument first,
      DocumentValue call,
      Diagnostics diagnostics) {
    this.documents = documents;
    this.first = new ApiDocument(first.uri(), first.root());
    reports.put(first.uri(), diagnostics.of(first.diagnostics().source(), call));
  }

  /** The document with the operation. */
  ApiDocument first() {
    return first;
  }

  @Override
  public @Nullable ApiDocument get(String uri, ApiValue reference) {
    Diagnostics from = about(reference.document());
    String absolute =
        ExternalDocuments.resolve(reference.value(), reference.document().uri(), from);
    if (absolute == null) {
      return null;
    }
    int fragment = absolute.indexOf('#');
    String whole = fragment < 0 ? absolute : absolute.substring(0, fragment);
    ExternalDocument found = documents.foreign(whole, reference.value(), from);
    if (found == null) {
      return null;
    }
    reports.putIfAbsent(found.uri(), found.diagnostics());
    return new ApiDocument(found.uri(), found.root());
  }

  @Override
  public void report(ApiValue at, String message) {
    about(at.document()).value(at.value(), message);
  }

  private Diagnostics about(ApiDocument document) {
    return Objects.requireNonNull(reports.get(document.uri()), document.uri());
  }
}
