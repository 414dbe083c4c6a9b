package dev.pinion.core.kernel;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;

/**
 * A journal that cannot be replayed. The message says what was expected, what was found and what to
 * do.
 */
public final class RecoveryException extends Exception {
  private static final long serialVersionUID = 1;

  /** The refusal of an instance whose definition is not deployed. */
  static RecoveryException missing(DefinitionKey definition, InstanceId id) {
    return new RecoveryException(
        "expected the definition "
            + definition
            + " of instance "
            + id
            + ", but it is not deployed; put its file back");
  }

  /** A refusal with its reason. */
  public RecoveryException(String message) {
    super(message);
  }
}
