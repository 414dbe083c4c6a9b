package dev.pinion.core.kernel.step.codec;

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

  /** Error for an instance whose definition is not deployed. */
  public static RecoveryException missing(DefinitionKey definition, InstanceId id) {
    return new RecoveryException(
        id,
        "expected the definition "
            + definition
            + " of instance "
            + id
            + ", but it is not deployed; put its file back");
  }

  /** Error for an instance whose definition has changed since it was started. */
  public static RecoveryException changed(DefinitionKey definition, InstanceId id) {
    return new RecoveryException(
        id,
        "expected the definition "
            + definition
            + " as it was when instance "
            + id
            + " was started, found that it holds something else; put its file back");
  }

  /** An error with its reason. */
  public RecoveryException(String message) {
    this(null, message);
  }

  /**
   * An error with its reason.
   *
   * @param instance the one instance that cannot be recovered; null when it is not known
   */
  public RecoveryException(@Nullable InstanceId instance, String message) {
    super(message);
    this.instance = instance;
  }

  /** The instance that cannot be recovered, while the others may be; null when it is not known. */
  public @Nullable InstanceId instance() {
    return instance;
  }
}
