package dev.pinion.core.language;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ScalarSourceMap;
import dev.pinion.core.document.SourceNode.Scalar;
import dev.pinion.core.document.SourceText;
import dev.pinion.core.document.SourceText.Position;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.model.Diagnostic;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Collects the problems of one document, each once, up to a limit, and the abstract services that
 * it names, up to the same limit; these are problems when no service serves them.
 */
final class Diagnostics {
  private static final Comparator<Diagnostic> BY_POSITION =
      Comparator.comparingInt(Diagnostic::line)
          .thenComparingInt(Diagnostic::column)
          .thenComparing(Diagnostic::pointer)
          .thenComparing(Diagnostic::message);

  private final SourceText source;
  private final int most;
  private final Set<Diagnostic> found = new LinkedHashSet<>();
  private final List<CompilationResult.ServiceUse> services = new ArrayList<>();
  private final List<CompilationResult.SecretUse> secrets = new ArrayList<>();
  private final Set<String> origins = new LinkedHashSet<>();
  private boolean more;

  Diagnostics(SourceText source, int most) {
    this.source = source;
    this.most = most;
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  /** The problems by position; last, if there are more than the limit, one that says so. */
  List<Diagnostic> sorted() {
    List<Diagnostic> sorted = new ArrayList<>(found);
    sorted.sort(BY_POSITION);
    if (more) {
      sorted.add(
          new Diagnostic(
              "",
              0,
              0,
              "expected at most " + most + " problems (definition.maxProblems), found more",
              null));
    }
    return List.copyOf(sorted);
  }

  /** The abstract services that the document names, by position. */
  List<CompilationResult.ServiceUse> services() {
    return services.stream().sorted(Comparator.comparingInt(use -> use.line())).toList();
  }

  /** Records that an endpoint names an abstract service. */
  void addService(DocumentValue endpoint, String service) {
    if (services.size() < most) {
      Position position = source.at(endpoint.offset());
      services.add(
          new CompilationResult.ServiceUse(
              service, endpoint.pointer(), position.line(), position.column()));
    }
  }

  /** The secrets that calls use, by position. */
  List<CompilationResult.SecretUse> secrets() {
    return secrets.stream().sorted(Comparator.comparingInt(use -> use.line())).toList();
  }

  /** Records that a call uses a secret. */
  void addSecret(DocumentValue place, String name) {
    if (secrets.size() < most) {
      Position position = source.at(place.offset());
      secrets.add(
          new CompilationResult.SecretUse(
              name, place.pointer(), position.line(), position.column()));
    }
  }

  /** Origins of calls that name a service by its address, each once, in the order of the text. */
  List<String> origins() {
    return List.copyOf(origins);
  }

  /** Records the origin of a call that does not depend on its input. */
  void addOrigin(String origin) {
    origins.add(origin);
  }

  /** Reports a problem at a place of the text. */
  void at(int offset, String pointer, String message) {
    at(offset, pointer, message, () -> null);
  }

  /** Reports a problem at a place of the text, with a suggestion. */
  void at(int offset, String pointer, String message, Supplier<@Nullable String> suggestion) {
    if (more) {
      return;
    }
    Position position = source.at(offset);
    Diagnostic problem =
        new Diagnostic(pointer, position.line(), position.column(), message, suggestion.get());
    if (found.size() < most) {
      found.add(problem);
    } else {
      more = !found.contains(problem);
    }
  }

  /** Reports a problem at a character of a string. */
  void character(DocumentValue documentValue, int index, String message) {
    character(documentValue, index, message, () -> null);
  }

  /** Reports a problem at a character of a string, with a suggestion. */
  void character(
      DocumentValue documentValue,
      int index,
      String message,
      Supplier<@Nullable String> suggestion) {
    int offset =
        documentValue.node() instanceof Scalar scalar
            ? ScalarSourceMap.offset(source.text(), scalar, index)
            : documentValue.offset();
    at(offset, documentValue.pointer(), message, suggestion);
  }

  /** Reports a problem of a value. */
  void value(DocumentValue documentValue, String message) {
    at(documentValue.offset(), documentValue.pointer(), message);
  }

  /** Reports a problem of a value, with a suggestion. */
  void value(DocumentValue documentValue, String message, Supplier<@Nullable String> suggestion) {
    at(documentValue.offset(), documentValue.pointer(), message, suggestion);
  }

  /** Reports a problem of a key, or of something missing under it. */
  void key(DocumentValue documentValue, String message) {
    at(documentValue.keyOffset(), documentValue.pointer(), message);
  }

  /** Reports a value of another kind than expected. */
  void expected(DocumentValue documentValue, String expected) {
    value(
        documentValue,
        "expected " + expected + ", found " + ValueDescription.describe(documentValue.json()));
  }

  /** Reports a feature of the language that this engine does not have yet. */
  void notSupportedYet(DocumentValue documentValue, String what) {
    key(documentValue, what + NOT_SUPPORTED_YET);
  }

  /** End of the message about a missing feature. */
  static final String NOT_SUPPORTED_YET = " is not supported yet";

  /** The text that offsets refer to. */
  SourceText source() {
    return source;
  }
}
