package dev.pinion.oracle;

import org.jspecify.annotations.Nullable;

/** An error of a process on its way to its handler. */
final class Fault extends RuntimeException {
  private static final long serialVersionUID = 1;
  private static final String STANDARD =
      "https://open-workflow-specification.org/spec/1.0.0/errors/";

  final String type;
  final int status;

  /** Pointer to the task that raised it, or null while it is not known. */
  final @Nullable String instance;

  Fault(String type, int status, @Nullable String instance) {
    super(type, null, false, false);
    this.type = type;
    this.status = status;
    this.instance = instance;
  }

  /** An expression that failed. */
  static Fault expression() {
    return new Fault(standard("expression"), 400, null);
  }

  /** A service that answered with an error. */
  static Fault communication(int status) {
    return new Fault(standard("communication"), status, null);
  }

  /** A task that took longer than it may. */
  static Fault timeout() {
    return new Fault(standard("timeout"), 408, null);
  }

  /** The reason for which the losers of a race are undone. */
  static Fault cancelled() {
    return new Fault("https://pinion.dev/errors/cancelled", 499, null);
  }

  /** The name of an error type of the specification. */
  static String standard(String name) {
    return STANDARD + name;
  }

  /** The same error, raised by a task unless that is known already. */
  Fault at(String pointer) {
    return instance != null ? this : new Fault(type, status, pointer);
  }
}
