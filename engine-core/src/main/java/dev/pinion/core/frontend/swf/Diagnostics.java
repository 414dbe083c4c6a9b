package dev.pinion.core.frontend.swf;

import dev.pinion.core.frontend.swf.SourceText.Position;
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
  private final List<Compilation.ServiceUse> services = new ArrayList<>();
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
  List<Compilation.ServiceUse> services() {
    return services.stream().sorted(Comparator.comparingInt(use -> use.line())).toList();
  }

  /** Records that an endpoint names an abstract service. */
  void names(Value endpoint, String service) {
    if (services.size() < most) {
      Position position = source.at(endpoint.offset());
      services.add(
          new Compilation.ServiceUse(
              service, endpoint.pointer(), position.line(), position.column()));
    }
  }

  /** Origins of calls that name a service by its address, each once, in the order of the text. */
  List<String> origins() {
    return List.copyOf(origins);
  }

  /** Records the origin of a call that does not depend on its input. */
  void reaches(String origin) {
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

  /** Reports a problem of a value. */
  void value(Value value, String message) {
    at(value.offset(), value.pointer(), message);
  }

  /** Reports a problem of a value, with a suggestion. */
  void value(Value value, String message, Supplier<@Nullable String> suggestion) {
    at(value.offset(), value.pointer(), message, suggestion);
  }

  /** Reports a problem of a key, or of something missing under it. */
  void key(Value value, String message) {
    at(value.keyOffset(), value.pointer(), message);
  }

  /** Reports a value of another kind than expected. */
  void expected(Value value, String expected) {
    value(value, "expected " + expected + ", found " + Found.describe(value.json()));
  }

  /** Reports a feature of the language that this engine does not have yet. */
  void notSupportedYet(Value value, String what) {
    key(value, what + NOT_SUPPORTED_YET);
  }

  /** End of the message about a missing feature. */
  static final String NOT_SUPPORTED_YET = " is not supported yet";

  /** The text that offsets refer to. */
  SourceText source() {
    return source;
  }
}
