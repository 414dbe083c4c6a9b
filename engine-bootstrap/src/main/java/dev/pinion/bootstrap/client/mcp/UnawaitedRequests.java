package dev.pinion.bootstrap.client.mcp;

import dev.pinion.bootstrap.client.call.CallTimeLimit;
import dev.pinion.core.invoker.ProtocolClient.CallingInvoker;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import org.jspecify.annotations.Nullable;

/**
 * Requests whose answers nobody waits for. The Invoker knows nothing of them, so each has a time of
 * its own: else a server that never answers would keep their connections. On the thread of the
 * Invoker.
 */
final class UnawaitedRequests {
  private final CallingInvoker invoker;
  private final long nanos;
  private int underWay;

  /**
   * No requests.
   *
   * @param nanos longest time of each
   */
  UnawaitedRequests(CallingInvoker invoker, long nanos) {
    this.invoker = invoker;
    this.nanos = nanos;
  }

  /** Sends a request. */
  void send(HttpCall request) {
    underWay++;
    new UnawaitedRequest().begin(request);
  }

  /** Number of requests that have no answer yet. */
  int underWay() {
    return underWay;
  }

  private final class UnawaitedRequest implements ServiceCaller.CallListener {
    private final CallTimeLimit limit = new CallTimeLimit(nanos, invoker.loop(), this::onLate);
    private ServiceCaller.@Nullable OngoingCall ongoing;
    private boolean over;

    void begin(HttpCall request) {
      ServiceCaller.OngoingCall begun = invoker.services().call(request, this);
      ongoing = over ? null : begun;
    }

    @Override
    public void onOutcome(CallOutcome outcome) {
      end();
    }

    private void onLate() {
      if (ongoing != null) {
        ongoing.cancel();
      }
      end();
    }

    private void end() {
      if (!over) {
        over = true;
        ongoing = null;
        limit.stop();
        underWay--;
      }
    }
  }
}
