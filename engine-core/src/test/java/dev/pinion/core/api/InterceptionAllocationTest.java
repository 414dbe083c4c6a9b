package dev.pinion.core.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.pinion.core.interception.HttpMessage;
import dev.pinion.core.interception.InterceptionPoint;
import dev.pinion.core.interception.InterceptionVerdict;
import dev.pinion.core.interception.Interceptor;
import dev.pinion.core.model.DefinitionKey;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Cost of a request for its event loop where no handlers process it. */
class InterceptionAllocationTest {
  private static final String START = "/v1/namespaces/test/definitions/echo/instances";
  private static final int REQUESTS = 400;
  private static final int ROUNDS = 7;

  /** Far less than a message for handlers, which has a map of the header fields. */
  private static final long TOLERANCE_BYTES = 64;

  /** Handlers of all messages, or of messages of another definition. */
  private record Standing(boolean forAll) implements Interceptor {
    @Override
    public boolean handles(InterceptionPoint point, @Nullable DefinitionKey definition) {
      return forAll;
    }

    @Override
    public void handle(HttpMessage message, Continuation then) {
      then.end(new InterceptionVerdict.Proceed(message));
    }
  }

  private static RequestHandlerServer served(Interceptor interceptor) {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    options.interceptor = interceptor;
    return new RequestHandlerServer(options);
  }

  private static long allocated() {
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    return threads.getCurrentThreadAllocatedBytes();
  }

  private static long bytesOfARequest(
      RequestHandlerServer requestHandlerServer, RawHttpClient client) throws Exception {
    long before = requestHandlerServer.onLoop(InterceptionAllocationTest::allocated);
    for (int i = 0; i < REQUESTS; i++) {
      assertEquals(200, client.post(START, "{\"input\":1}").status());
    }
    return (requestHandlerServer.onLoop(InterceptionAllocationTest::allocated) - before) / REQUESTS;
  }

  @Test
  void shouldAllocateNothingForHandlersThatAreNotForTheRequest() throws Exception {
    try (RequestHandlerServer without = served(Interceptor.NONE);
        RequestHandlerServer aside = served(new Standing(false));
        RequestHandlerServer standing = served(new Standing(true));
        RawHttpClient toWithout = without.client();
        RawHttpClient toAside = aside.client();
        RawHttpClient toStanding = standing.client()) {
      long least = Long.MAX_VALUE;
      long leastAside = Long.MAX_VALUE;
      long leastStanding = Long.MAX_VALUE;
      for (int round = 0; round < ROUNDS; round++) { // alternating, while the compilers are at work
        least = Math.min(least, bytesOfARequest(without, toWithout));
        leastAside = Math.min(leastAside, bytesOfARequest(aside, toAside));
        leastStanding = Math.min(leastStanding, bytesOfARequest(standing, toStanding));
      }
      String found =
          String.format(Locale.ROOT, "%d, %d and %d B", least, leastAside, leastStanding);
      assertTrue(leastAside - least <= TOLERANCE_BYTES, found);
      assertTrue(leastStanding - least > TOLERANCE_BYTES, "expected it to be seen: " + found);
    }
  }
}
