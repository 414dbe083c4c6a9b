package dev.pinion.core.model;

/** The standard error types of the Open Workflow DSL (DSL reference, "Standard Error Types"). */
public enum ErrorType {
  /** Wrong configuration. */
  CONFIGURATION("configuration", 400, "Configuration Error"),
  /** Data that does not match its schema. */
  VALIDATION("validation", 400, "Validation Error"),
  /** An expression that failed or ran beyond its limits. */
  EXPRESSION("expression", 400, "Expression Error"),
  /** Authentication failed. */
  AUTHENTICATION("authentication", 401, "Authentication Error"),
  /** Not permitted. */
  AUTHORIZATION("authorization", 403, "Authorization Error"),
  /** A task, a call or the workflow ran out of time. */
  TIMEOUT("timeout", 408, "Timeout"),
  /** A service could not be reached or answered with an error. */
  COMMUNICATION("communication", 500, "Communication Error"),
  /** Any other failure at run time, limits of the engine included. */
  RUNTIME("runtime", 500, "Runtime Error");

  private static final String BASE = "https://open-workflow-specification.org/spec/1.0.0/errors/";

  private final String uri;
  private final int status;
  private final String title;

  ErrorType(String name, int status, String title) {
    this.uri = BASE + name;
    this.status = status;
    this.title = title;
  }

  /** The URI that names this type. */
  public String uri() {
    return uri;
  }

  /** The default status. */
  public int status() {
    return status;
  }

  /** Default title. */
  public String title() {
    return title;
  }
}
