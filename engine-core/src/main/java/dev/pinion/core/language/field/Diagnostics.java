package dev.pinion.core.language.field;

import dev.pinion.core.document.DocumentValue;
import dev.pinion.core.document.ScalarSourceMap;
import dev.pinion.core.document.SourceNode.Scalar;
import dev.pinion.core.document.SourceText;
import dev.pinion.core.document.SourceText.Position;
import dev.pinion.core.document.ValueDescription;
import dev.pinion.core.model.call.Program;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reports what is found in one document. What is found in a document that a definition refers to is
 * reported at the reference.
 */
public final class Diagnostics {
  /** End of the message about a missing feature. */
  public static final String NOT_SUPPORTED_YET = " is not supported yet";

  private final SourceText source;
  private final Findings findings;
  private final @Nullable Reference reference;

  /**
   * A reference to a document.
   *
   * @param from reports about the document that has it
   * @param place the reference
   */
  private record Reference(Diagnostics from, DocumentValue place) {}

  /** Reports about a definition. */
  public Diagnostics(SourceText source, Findings findings) {
    this(source, findings, null);
  }

  private Diagnostics(SourceText source, Findings findings, @Nullable Reference reference) {
    this.source = source;
    this.findings = findings;
    this.reference = reference;
  }

  /**
   * Reports about a document that a value of this one refers to.
   *
   * @param text the text of that document
   */
  public Diagnostics of(SourceText text, DocumentValue referring) {
    return new Diagnostics(text, findings, new Reference(this, referring));
  }

  /** The text that offsets refer to. */
  public SourceText source() {
    return source;
  }

  /** Reports a problem at a place of the text. */
  public void at(int offset, String pointer, String message) {
    at(offset, pointer, message, () -> null);
  }

  /** Reports a problem at a place of the text, with a suggestion. */
  public void at(
      int offset, String pointer, String message, Supplier<@Nullable String> suggestion) {
    if (!findings.takesProblems()) {
      return;
    }
    if (reference == null) {
      findings.addProblem(source.at(offset), pointer, message, suggestion);
    } else {
      DocumentValue place = reference.place();
      reference
          .from()
          .at(place.offset(), place.pointer(), within(offset, pointer, message), suggestion);
    }
  }

  /** Warns of what is allowed at a place of the text, but hardly meant. */
  public void warn(
      int offset, String pointer, String message, Supplier<@Nullable String> suggestion) {
    if (!findings.takesWarnings()) {
      return;
    }
    if (reference == null) {
      findings.addWarning(source.at(offset), pointer, message, suggestion);
    } else {
      DocumentValue place = reference.place();
      reference
          .from()
          .warn(place.offset(), place.pointer(), within(offset, pointer, message), suggestion);
    }
  }

  private String within(int offset, String pointer, String message) {
    Position position = source.at(offset);
    return pointer + ", line " + position.line() + ", column " + position.column() + ": " + message;
  }

  /** Records that an endpoint names an abstract service. */
  public void addService(DocumentValue endpoint, String service) {
    if (reference == null) {
      findings.addService(source.at(endpoint.offset()), endpoint.pointer(), service);
    } else {
      reference.from().addService(reference.place(), service);
    }
  }

  /** Records that a task runs a program. */
  public void addProgram(DocumentValue program, Program.Kind kind) {
    if (reference == null) {
      findings.addProgram(source.at(program.offset()), program.pointer(), kind);
    } else {
      reference.from().addProgram(reference.place(), kind);
    }
  }

  /** Records that a call uses a secret. */
  public void addSecret(DocumentValue place, String name) {
    if (reference == null) {
      findings.addSecret(source.at(place.offset()), place.pointer(), name);
    } else {
      reference.from().addSecret(reference.place(), name);
    }
  }

  /** Records the origin of a call that does not depend on its input. */
  public void addOrigin(String origin) {
    findings.addOrigin(origin);
  }

  /** The offset in the text of a character of a string. */
  public int offset(DocumentValue documentValue, int index) {
    return documentValue.node() instanceof Scalar scalar
        ? ScalarSourceMap.offset(source.text(), scalar, index)
        : documentValue.offset();
  }

  /** Reports a problem at a character of a string. */
  public void character(DocumentValue documentValue, int index, String message) {
    character(documentValue, index, message, () -> null);
  }

  /** Reports a problem at a character of a string, with a suggestion. */
  public void character(
      DocumentValue documentValue,
      int index,
      String message,
      Supplier<@Nullable String> suggestion) {
    if (findings.takesProblems()) { // to find a character takes time
      at(offset(documentValue, index), documentValue.pointer(), message, suggestion);
    }
  }

  /** Reports a problem of a value. */
  public void value(DocumentValue documentValue, String message) {
    at(documentValue.offset(), documentValue.pointer(), message);
  }

  /** Reports a problem of a value, with a suggestion. */
  public void value(
      DocumentValue documentValue, String message, Supplier<@Nullable String> suggestion) {
    at(documentValue.offset(), documentValue.pointer(), message, suggestion);
  }

  /** Warns of a value, with a suggestion. */
  public void warn(
      DocumentValue documentValue, String message, Supplier<@Nullable String> suggestion) {
    warn(documentValue.offset(), documentValue.pointer(), message, suggestion);
  }

  /** Reports a problem of a key, or of something missing under it. */
  public void key(DocumentValue documentValue, String message) {
    at(documentValue.keyOffset(), documentValue.pointer(), message);
  }

  /** Reports a value of another kind than expected. */
  public void expected(DocumentValue documentValue, String expected) {
    value(
        documentValue,
        "expected " + expected + ", found " + ValueDescription.describe(documentValue.json()));
  }

  /** Reports a feature of the language that this engine does not have yet. */
  public void notSupportedYet(DocumentValue documentValue, String what) {
    key(documentValue, what + NOT_SUPPORTED_YET);
  }
}
