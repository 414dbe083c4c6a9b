package dev.pinion.core.http;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.pinion.core.api.RawHttpClient;
import dev.pinion.core.api.RequestHandlerServer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Field fault 2: room for new clients is made at a rate of two connections a millisecond. */
class IdleClientConnectionsTest {
  private static final int MOST = 64;
  private static final int SILENT = 8;
  private static final long LATER = TimeUnit.HOURS.toNanos(1);
  private static final long INTERVAL = TimeUnit.MILLISECONDS.toNanos(1);

  @Test
  void shouldCloseTwoAtATimeAndNoMoreWithinAMillisecond() throws Exception {
    RequestHandlerServer.Options options = new RequestHandlerServer.Options();
    ClientConnections clients = new ClientConnections(MOST);
    options.clients = clients;
    List<RawHttpClient> silent = new ArrayList<>();
    try (RequestHandlerServer requestHandlerServer = new RequestHandlerServer(options)) {
      for (int i = 0; i < SILENT; i++) {
        silent.add(requestHandlerServer.client());
      }
      await()
          .until(
              () ->
                  requestHandlerServer.onLoop(requestHandlerServer.handler::connections) == SILENT);

      List<Integer> closed =
          requestHandlerServer.onLoop(
              () -> {
                crowd(clients);
                IdleClientConnections spare = requestHandlerServer.handler.http().idleConnections();
                long now = System.nanoTime() + LATER;
                List<Integer> counts = new ArrayList<>();
                for (long after :
                    new long[] {0, 0, INTERVAL - 1, INTERVAL, INTERVAL + 1, 9 * INTERVAL}) {
                  counts.add(spare.makeRoom(now + after));
                }
                assertEquals(now + 10 * INTERVAL, spare.nextNanos(), "the loop comes back then");
                return counts;
              });

      assertEquals(List.of(2, 0, 0, 2, 0, 2), closed, "and none is saved up");
    } finally {
      for (RawHttpClient each : silent) {
        each.close();
      }
    }
  }

  /** Fills the replica with connections of other handlers. */
  private static void crowd(ClientConnections clients) {
    for (int i = 0; i < MOST; i++) {
      clients.opened(new EmbeddedChannel());
    }
  }
}
