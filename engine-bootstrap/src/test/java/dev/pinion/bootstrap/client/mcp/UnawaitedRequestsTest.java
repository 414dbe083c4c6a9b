package dev.pinion.bootstrap.client.mcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.invoker.ProtocolClient.CallingInvoker;
import dev.pinion.core.invoker.ServiceCaller;
import dev.pinion.core.invoker.ServiceCaller.OngoingCall;
import dev.pinion.core.model.call.CallOutcome;
import dev.pinion.core.model.call.HttpCall;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Requests whose answers nobody waits for. */
class UnawaitedRequestsTest {
  private static final HttpCall REQUEST =
      new HttpCall("DELETE", "http://test/", List.of(), null, HttpCall.Output.RAW, false);

  private final ExecutorService loop = Executors.newSingleThreadExecutor();

  @AfterEach
  void stop() {
    loop.shutdownNow();
  }

  private UnawaitedRequests requests(ServiceCaller services, long nanos) {
    return new UnawaitedRequests(
        new CallingInvoker(loop, services, UnaryOperator.identity()), nanos);
  }

  /** Such a request kept its connection for ever. */
  @Test
  void shouldDropARequestThatIsNeverAnswered() throws Exception {
    CompletableFuture<Void> cancelled = new CompletableFuture<>();
    ServiceCaller silent =
        (_, _) ->
            new OngoingCall() {
              @Override
              public void cancel() {
                cancelled.complete(null);
              }

              @Override
              public String waitsFor() {
                return "an answer";
              }
            };
    UnawaitedRequests requests = requests(silent, 1);

    loop.submit(() -> requests.send(REQUEST)).get(20, TimeUnit.SECONDS);

    cancelled.get(20, TimeUnit.SECONDS);
    assertEquals(0, loop.submit(requests::underWay).get(20, TimeUnit.SECONDS));
  }

  @Test
  void shouldCountRequestsUntilTheirAnswers() throws Exception {
    List<ServiceCaller.CallListener> listeners = new ArrayList<>();
    ServiceCaller services =
        (_, listener) -> {
          listeners.add(listener);
          return new OngoingCall() {
            @Override
            public void cancel() {
              throw new AssertionError("expected no end before the answer");
            }

            @Override
            public String waitsFor() {
              return "an answer";
            }
          };
        };
    UnawaitedRequests requests = requests(services, TimeUnit.HOURS.toNanos(1));

    loop.submit(
            () -> {
              requests.send(REQUEST);
              requests.send(REQUEST);
              assertEquals(2, requests.underWay());
              listeners.forEach(each -> each.onOutcome(CallOutcome.Aborted.INSTANCE));
              assertEquals(0, requests.underWay());
            })
        .get(20, TimeUnit.SECONDS);
    assertEquals(2, listeners.size());
  }
}
