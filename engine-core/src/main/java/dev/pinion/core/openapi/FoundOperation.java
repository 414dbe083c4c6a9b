package dev.pinion.core.openapi;

import java.util.Locale;

/**
 * Where an operation is in a document.
 *
 * @param method request method, in upper case
 * @param path its path
 * @param item the item of the path
 * @param operation the operation
 */
public record FoundOperation(String method, String path, ApiValue item, ApiValue operation) {
  /** Puts the method into upper case. */
  public FoundOperation {
    method = method.toUpperCase(Locale.ROOT);
  }

  /** Method and path. */
  @Override
  public String toString() {
    return method + " " + path;
  }
}
