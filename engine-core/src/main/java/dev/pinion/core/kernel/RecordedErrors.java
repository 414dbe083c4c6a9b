package dev.pinion.core.kernel;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the errors of events short enough for records of the journal: what an expression raises or
 * a message repeats may be of any length. Immutable.
 */
final class RecordedErrors {
  /** Most bytes in a record for one character of a value: an escape. */
  private static final int BYTES_AS_JSON = 6;

  /** Bytes that a record has for an error whatever the limits are. */
  private static final int LEAST_BYTES = 48 << 10;

  /** Bytes around its texts. */
  private static final int FRAME_BYTES = 100;

  private final int most;

  RecordedErrors(EngineLimits limits) {
    long bytes = (long) BYTES_AS_JSON * limits.maxRecordedBytes() + LEAST_BYTES;
    this.most = (int) Math.min(Integer.MAX_VALUE, bytes);
  }

  /** The event, with a shorter error if it has one that is too long. */
  Event.Trigger within(Event.Trigger event) {
    return switch (event) {
      case Event.CallCompleted done -> ofCall(done);
      case Event.ExpressionEvaluated evaluated -> ofEvaluation(evaluated);
      default -> event;
    };
  }

  private Event.Trigger ofCall(Event.CallCompleted done) {
    return done.outcome() instanceof CallOutcome.Failed(WorkflowError error) && isTooLong(error)
        ? new Event.CallCompleted(
            done.id(), done.activity(), done.attempt(), new CallOutcome.Failed(cut(error)))
        : done;
  }

  private Event.Trigger ofEvaluation(Event.ExpressionEvaluated evaluated) {
    WorkflowError error = evaluated.error();
    return error != null && isTooLong(error)
        ? new Event.ExpressionEvaluated(
            evaluated.id(), evaluated.activity(), evaluated.attempt(), null, cut(error))
        : evaluated;
  }

  private boolean isTooLong(WorkflowError error) {
    long chars =
        length(error.type())
            + length(error.title())
            + length(error.detail())
            + length(error.instance());
    return BYTES_AS_JSON * chars + FRAME_BYTES > most;
  }

  private static long length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }

  private WorkflowError cut(WorkflowError error) {
    return Objects.requireNonNull(error.cutTo(most), "room for an error");
  }
}
