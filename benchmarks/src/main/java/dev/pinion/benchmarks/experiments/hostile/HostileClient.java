package dev.pinion.benchmarks.experiments.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Sends hostile requests at an even pace, each on a separate connection and virtual thread, and
 * counts the responses.
 */
public final class HostileClient {
  private static final int MAX_OPEN = 256;
  private static final int MAX_RECEIVED = 1 << 20;
  private static final int CONNECT_MILLIS = 5_000;

  private final InetSocketAddress server;
  private final HostileRequests requests;
  private final Duration patience;
  private final Duration abandonAfter;

  /**
   * A client.
   *
   * @param uri address of the server
   * @param seed seed of the order of requests
   * @param patience longest wait for a response or the end of a connection
   * @param abandonAfter time until an abandoned request is closed
   */
  public HostileClient(URI uri, long seed, Duration patience, Duration abandonAfter) {
    this.server = new InetSocketAddress(uri.getHost(), uri.getPort());
    this.requests = new HostileRequests(seed);
    this.patience = patience;
    this.abandonAfter = abandonAfter;
  }

  /**
   * Sends requests and waits for their ends.
   *
   * @param count number of requests
   * @param delay time before the first one
   * @param duration time over which they are spread
   * @throws InterruptedException when interrupted; requests under way are abandoned then
   */
  public HostileStatistics run(int count, Duration delay, Duration duration)
      throws InterruptedException {
    HostileStatistics tally = new HostileStatistics();
    Semaphore open = new Semaphore(MAX_OPEN);
    long startNanos = System.nanoTime() + delay.toNanos();
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    try {
      for (int i = 0; i < count; i++) {
        long dueNanos = startNanos + duration.toNanos() / count * i;
        Thread.sleep(Duration.ofNanos(Math.max(0, dueNanos - System.nanoTime())));
        HostileRequest request = requests.next();
        open.acquire();
        threads.execute(
            () -> {
              send(request, tally);
              open.release();
            });
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      throw e;
    } finally {
      threads.close();
    }
    return tally;
  }

  private void send(HostileRequest request, HostileStatistics tally) {
    try (Socket socket = new Socket()) {
      socket.connect(server, CONNECT_MILLIS);
      String received = exchange(socket, request);
      tally.add(request, ResponseStatuses.statuses(received));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException | IllegalArgumentException e) {
      tally.fault(request.kind() + ": " + e.getMessage());
    }
  }

  /** Bytes received until the connection ended, the time was up, or the request was abandoned. */
  private String exchange(Socket socket, HostileRequest request)
      throws IOException, InterruptedException {
    try {
      socket.getOutputStream().write(request.bytes());
    } catch (SocketException e) {
      // The server refused amid the request and has closed: its response may still be there.
    }
    if (request.abandoned()) {
      Thread.sleep(abandonAfter);
      return "";
    }
    socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
    return receive(socket.getInputStream());
  }

  private static String receive(InputStream in) throws IOException {
    ByteArrayOutputStream received = new ByteArrayOutputStream();
    byte[] some = new byte[8 << 10];
    try {
      int count = in.read(some);
      while (count >= 0 && received.size() < MAX_RECEIVED) {
        received.write(some, 0, count);
        count = in.read(some);
      }
    } catch (SocketException | SocketTimeoutException e) {
      // Reset by the server, or kept open by it: the bytes so far are the response.
    }
    return received.toString(ISO_8859_1);
  }
}
