package dev.pinion.core.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.limits.EngineLimits;
import dev.pinion.core.message.Event;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.InstanceId;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.model.call.CallOutcome;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class RecordedErrorsTest {
  private static final InstanceId ID = InstanceId.next(1, 0, null);
  private static final EngineLimits LIMITS =
      EngineLimits.defaults()
          .with(
              Map.of(
                  "request.maxBodyBytes", 1_024,
                  "definition.maxBytes", 1_024,
                  "invoker.maxResponseBytes", 1_024));

  private final RecordedErrors errors = new RecordedErrors(LIMITS);

  private static WorkflowError error(int chars) {
    return WorkflowError.of(ErrorType.RUNTIME, "\0".repeat(chars));
  }

  private static Event.CallCompleted failed(int chars) {
    return new Event.CallCompleted(ID, 1, 2, new CallOutcome.Failed(error(chars)));
  }

  @Test
  void shouldShortenWhatNoRecordMayHold() {
    Event.CallCompleted done =
        assertInstanceOf(Event.CallCompleted.class, errors.within(failed(1 << 20)));
    Event.ExpressionEvaluated evaluated =
        assertInstanceOf(
            Event.ExpressionEvaluated.class,
            errors.within(new Event.ExpressionEvaluated(ID, 1, 2, null, error(1 << 20))));

    WorkflowError shorter = assertInstanceOf(CallOutcome.Failed.class, done.outcome()).error();
    assertEquals(new Event.CallCompleted(ID, 1, 2, new CallOutcome.Failed(shorter)), done);
    assertTrue(String.valueOf(shorter.detail()).endsWith("\0…"));
    assertTrue(shorter.toPayload().toString().length() < LIMITS.maxRecordBytes());
    assertEquals(shorter, Objects.requireNonNull(evaluated.error()));
  }

  @Test
  void shouldLeaveOtherEventsAsTheyAre() {
    Event.Trigger answered =
        new Event.CallCompleted(ID, 1, 2, new CallOutcome.Succeeded(Payload.of("x".repeat(99))));
    Event.Trigger failed = failed(5_000);
    Event.Trigger evaluated = new Event.ExpressionEvaluated(ID, 1, 2, null, error(5_000));
    Event.Trigger cancelled = new Event.Cancelled(ID);

    assertSame(answered, errors.within(answered));
    assertSame(failed, errors.within(failed));
    assertSame(evaluated, errors.within(evaluated));
    assertSame(cancelled, errors.within(cancelled));
  }
}
