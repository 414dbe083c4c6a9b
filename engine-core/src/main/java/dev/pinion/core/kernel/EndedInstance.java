package dev.pinion.core.kernel;

import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import org.jspecify.annotations.Nullable;

/** What is kept of an instance that has ended. Immutable. */
final class EndedInstance {
  final InstanceView view;

  /** What it was started with; null when that is not known. */
  final @Nullable Payload input;

  /**
   * How it stood before the task that made it fault, as {@link InstanceWriter} wrote it; null when
   * it cannot go on from there. Not to be changed.
   */
  final byte @Nullable [] stateToRetry;

  EndedInstance(InstanceView view, @Nullable Payload input, byte @Nullable [] stateToRetry) {
    this.view = view;
    this.input = input;
    this.stateToRetry = stateToRetry;
  }
}
