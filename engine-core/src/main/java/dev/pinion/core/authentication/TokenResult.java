package dev.pinion.core.authentication;

import dev.pinion.core.model.WorkflowError;

/** Result of the request for a token. */
public sealed interface TokenResult {
  /** A token. */
  record Issued(AccessToken token) implements TokenResult {}

  /**
   * None.
   *
   * @param error names the endpoint, and nothing secret
   */
  record Refused(WorkflowError error) implements TokenResult {}
}
