package dev.pinion.core.openapi;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation of a document.
 *
 * @param method request method
 * @param server absolute URI of the server, percent-encoded
 * @param path path below the server, with names in braces that are all parameters
 * @param parameters the parameters, in the order of the document
 * @param body the body, or null for none
 * @param accept value of the field Accept; empty where the document names no media type
 * @param security the ways to authenticate a call, each a list of schemes that it needs
 */
public record ApiOperation(
    String method,
    String server,
    String path,
    List<ApiParameter> parameters,
    @Nullable ApiBody body,
    String accept,
    List<List<ApiSecurityScheme>> security) {
  /** Copies the lists. */
  public ApiOperation {
    parameters = List.copyOf(parameters);
    security = List.copyOf(security);
  }
}
