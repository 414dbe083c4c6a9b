package dev.pinion.core.model;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

// Field fault 12: connections of a client that is always in use never ended.
class RenewedHttpClientTest {
  @Test
  void shouldRenewItsConnectionsAndFinishWhatIsUnderWay() throws Exception {
    List<HttpClient> made = new CopyOnWriteArrayList<>();
    AtomicLong nanoTime = new AtomicLong(Long.MAX_VALUE);
    Semaphore mayAnswer = new Semaphore(0);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          mayAnswer.acquireUninterruptibly();
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    server.start();
    HttpRequest request =
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/"))
            .build();
    try (RenewedHttpClient client =
        new RenewedHttpClient(
            () -> {
              made.add(HttpClient.newHttpClient());
              return made.getLast();
            },
            nanoTime::get)) {
      CompletableFuture<HttpResponse<Void>> under = send(client, request);
      nanoTime.addAndGet(RenewedHttpClient.AGE.toNanos() / 2);
      CompletableFuture<HttpResponse<Void>> young = send(client, request);
      assertEquals(1, made.size());
      nanoTime.addAndGet(RenewedHttpClient.AGE.toNanos() / 2);
      CompletableFuture<HttpResponse<Void>> next = send(client, request);
      assertEquals(2, made.size());
      assertFalse(made.getFirst().isTerminated(), "its answers are still to come");

      mayAnswer.release(3);
      for (CompletableFuture<HttpResponse<Void>> each : List.of(under, young, next)) {
        assertEquals(204, each.get(20, TimeUnit.SECONDS).statusCode());
      }
      await().until(made.getFirst()::isTerminated);
      assertFalse(made.getLast().isTerminated());
    } finally {
      server.stop(0);
    }
    await().until(made.getLast()::isTerminated);
  }

  private static CompletableFuture<HttpResponse<Void>> send(
      RenewedHttpClient client, HttpRequest request) {
    return client.with(each -> each.sendAsync(request, HttpResponse.BodyHandlers.discarding()));
  }
}
