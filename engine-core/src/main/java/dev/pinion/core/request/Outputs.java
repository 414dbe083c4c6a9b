package dev.pinion.core.request;

import dev.pinion.core.model.DefinitionKey;
import dev.pinion.core.model.Payload;
import dev.pinion.core.model.WorkflowError;
import dev.pinion.core.spi.Around;
import dev.pinion.core.stage.Looks;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** Takes payloads through the handler chains around a process, and back to their event loop. */
final class Outputs {
  /** What a profiler calls work on outputs. */
  private static final String OUTPUT = "(output)";

  private final Around around;
  private final boolean direct;

  Outputs(Around around) {
    this.around = around;
    this.direct = around.equals(Around.NOTHING);
  }

  /** What follows a message that went through. */
  @FunctionalInterface
  interface Next {
    void proceed(Payload message) throws Refusal;
  }

  /**
   * Handles a message and goes on with the result on the exchange's loop; at once when possible.
   */
  void pass(
      Exchange exchange, Around.Point point, DefinitionKey definition, Payload message, Next next)
      throws Refusal {
    if (direct) {
      next.proceed(message);
      return;
    }
    around.handle(point, definition, message, new Once(exchange, next));
  }

  /** What follows an output, or its absence, that went through. */
  @FunctionalInterface
  interface Rendering {
    void render(@Nullable Payload output) throws Refusal;
  }

  /** Handles the output of an instance, when it has one, and renders the result. */
  void out(
      Exchange exchange, DefinitionKey definition, @Nullable Payload output, Rendering rendering)
      throws Refusal {
    if (output == null) {
      rendering.render(null);
    } else {
      int look = Looks.count();
      pass(exchange, Around.Point.PROCESS_OUT, definition, output, rendering::render);
      Looks.worked(look, Looks.Worker.REQUEST, definition, OUTPUT);
    }
  }

  /** Lets only the first call count, whoever makes it. */
  private static final class Once implements Around.Continuation {
    private final Exchange exchange;
    private final Next next;
    private final AtomicBoolean ended = new AtomicBoolean();

    Once(Exchange exchange, Next next) {
      this.exchange = exchange;
      this.next = next;
    }

    @Override
    public void proceed(Payload message) {
      if (ended.compareAndSet(false, true)) {
        exchange.onLoop(() -> next.proceed(message));
      }
    }

    @Override
    public void refuse(WorkflowError error) {
      if (ended.compareAndSet(false, true)) {
        exchange.onLoop(
            () -> {
              throw new Refusal(
                  Problem.of(
                          ProblemType.REFUSED, "a handler around the process refused the message")
                      .with("error", error.toPayload()));
            });
      }
    }
  }
}
