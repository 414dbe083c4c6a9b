package dev.pinion.core.kernel.table;

import dev.pinion.core.kernel.step.InstanceWriter;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.instance.InstanceView;
import org.jspecify.annotations.Nullable;

/** Retained data of an instance that has ended. Immutable. */
public final class FinishedInstance {
  public final InstanceView view;

  /** Input of its start; null when that is not known. */
  public final @Nullable Payload input;

  /**
   * State before the task that made it fault, as {@link InstanceWriter} wrote it; null when it
   * cannot continue from there. Not to be modified.
   */
  public final byte @Nullable [] stateToRetry;

  public FinishedInstance(
      InstanceView view, @Nullable Payload input, byte @Nullable [] stateToRetry) {
    this.view = view;
    this.input = input;
    this.stateToRetry = stateToRetry;
  }
}
