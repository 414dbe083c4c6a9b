package dev.pinion.core.kernel;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.InstanceId;
import org.jspecify.annotations.Nullable;

/**
 * A journal that cannot be replayed. The message says what was expected, what was found and what to
 * do.
 */
public final class RecoveryException extends Exception {
  private static final long serialVersionUID = 1;

  private final transient @Nullable InstanceId instance;

  /** The refusal of an instance whose definition is not deployed. */
  static RecoveryException missing(DefinitionKey definition, InstanceId id) {
    return new RecoveryException(
        "expected the definition "
            + definition
            + " of instance "
            + id
            + ", but it is not deployed; put its file back",
        id);
  }

  /** A refusal with its reason. */
  public RecoveryException(String message) {
    this(message, null);
  }

  /** A refusal of what is told of one instance. */
  RecoveryException(String message, @Nullable InstanceId instance) {
    super(message);
    this.instance = instance;
  }

  /** The instance that it is about, or null when it is not about one. */
  public @Nullable InstanceId instance() {
    return instance;
  }
}
