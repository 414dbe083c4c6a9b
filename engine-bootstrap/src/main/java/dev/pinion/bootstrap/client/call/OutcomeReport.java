package dev.pinion.bootstrap.client.call;

import dev.pinion.core.invoker.CallFailures;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.model.ErrorType;
import dev.pinion.core.model.call.CallOutcome;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells an Invoker the outcome of a call: once, on its thread, and never after the call was
 * cancelled.
 */
public final class OutcomeReport {
  private static final Logger LOG = LoggerFactory.getLogger(OutcomeReport.class);

  private final Executor invoker;
  private final ServiceCaller.CallListener callListener;

  /** Whether the Invoker knows the outcome or wants none. Set on its thread only. */
  private volatile boolean over;

  /**
   * A report.
   *
   * @param invoker runs tasks on the thread of the Invoker
   * @param callListener told on that thread
   */
  public OutcomeReport(Executor invoker, ServiceCaller.CallListener callListener) {
    this.invoker = invoker;
    this.callListener = callListener;
  }

  /** Keeps the outcome to itself from now on. On the thread of the Invoker. */
  public void cancel() {
    over = true;
  }

  /** Whether the outcome is known, or not wanted any more. Any thread. */
  public boolean isOver() {
    return over;
  }

  /** Tells the outcome. Any thread. */
  public void tell(CallOutcome outcome) {
    later(() -> callListener.onOutcome(outcome));
  }

  /** Tells that the call has failed. Any thread. */
  public void fail(ErrorType type, String detail) {
    tell(CallFailures.of(type, detail));
  }

  /** Tells that the service refuses the authorization, which may be renewed. Any thread. */
  public void refused(CallOutcome outcome) {
    later(
        () -> {
          boolean renewed =
              callListener instanceof ServiceCaller.InterceptedListener intercepted
                  && intercepted.onResponse(RefusedAuthorization.INSTANCE);
          if (!renewed) {
            callListener.onOutcome(outcome);
          }
        });
  }

  private void later(Runnable told) {
    try {
      invoker.execute(
          () -> {
            if (!over) {
              over = true;
              told.run();
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("a call ended after its event loop");
    }
  }
}
