package dev.pinion.core.kernel;

import dev.pinion.core.model.InstanceView;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import org.jspecify.annotations.Nullable;

/** What is kept of an instance that has ended. Immutable. */
final class EndedInstance {
  /** About what its objects take, in bytes. */
  private static final long FIXED = 288;

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

  /** Bytes that it is charged for. */
  long weight() {
    WorkflowError error = view.error();
    return FIXED
        + weight(view.output())
        + weight(input)
        + (error == null ? 0 : length(error.title()) + length(error.detail()))
        + (stateToRetry == null ? 0 : stateToRetry.length);
  }

  private static long weight(@Nullable Payload value) {
    return value == null ? 0 : value.weight();
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }
}
