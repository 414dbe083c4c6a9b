package dev.pinion.bootstrap.serve;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.pinion.core.model.InstanceId;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An open load, or a closed one where the rate is infinite: clients that start instances at times
 * drawn in advance, independent of response times. Each client has one connection at a time, which
 * it reopens occasionally so that restarted replicas receive their share.
 *
 * <p>The schedule is drawn from a seed. Latency counts from the scheduled time of sending.
 */
final class SteadyLoad implements AutoCloseable {
  private static final int REQUESTS_PER_CONNECTION = 40;
  private static final int TIMEOUT_MILLIS = 30_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final URI target;
  private final int slots;
  private final double perClientPerSecond;
  private final ConcurrentLinkedQueue<Request> requests = new ConcurrentLinkedQueue<>();
  private final List<Thread> clients = new ArrayList<>();
  private final LongAdder count = new LongAdder();
  private volatile boolean ended;

  /**
   * One request.
   *
   * @param intendedNanos scheduled time of sending
   * @param endedNanos time of its response or loss
   * @param client number of its client, which has one connection at a time
   * @param openedNanos time at which opening its connection began
   * @param slot replica of its connection, or -1 when it never became known
   * @param status status of the response, or 0 if there was none
   * @param retryAfter whether the response has a time for the next attempt
   */
  record Request(
      long intendedNanos,
      long endedNanos,
      long client,
      long openedNanos,
      int slot,
      int status,
      boolean retryAfter) {
    boolean right() {
      return status == 200;
    }

    double millis() {
      return (endedNanos - intendedNanos) / 1e6;
    }
  }

  /**
   * Starts a load.
   *
   * @param target address for starts of instances
   * @param slots number of replicas
   * @param perSecond requests of all clients together; {@link Double#POSITIVE_INFINITY} to send
   *     each as soon as the previous one is answered
   */
  static SteadyLoad begin(URI target, int slots, int clients, double perSecond, long seed) {
    SteadyLoad load = new SteadyLoad(target, slots, perSecond / clients);
    for (int i = 0; i < clients; i++) {
      Random random = new Random(seed + i);
      load.clients.add(Thread.ofPlatform().name("client-" + i).start(() -> load.client(random)));
    }
    return load;
  }

  private SteadyLoad(URI target, int slots, double perClientPerSecond) {
    this.target = target;
    this.slots = slots;
    this.perClientPerSecond = perClientPerSecond;
  }

  /** Number of ended requests so far. */
  long count() {
    return count.sum();
  }

  /** Ends the load and returns all of its requests. */
  List<Request> end() {
    ended = true;
    clients.forEach(LockSupport::unpark);
    clients.forEach(SteadyLoad::join);
    return List.copyOf(requests);
  }

  @Override
  public void close() {
    end();
  }

  private static void join(Thread client) {
    try {
      client.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void client(Random random) {
    long nextNanos = System.nanoTime();
    while (!ended) {
      try (Client client = new Client()) {
        for (int i = 0; i < REQUESTS_PER_CONNECTION && client.open && !ended; i++) {
          nextNanos += (long) (-Math.log(1 - random.nextDouble()) / perClientPerSecond * 1e9);
          awaitTime(nextNanos);
          client.ask(nextNanos);
        }
        client.tell();
      } catch (IOException e) {
        throw new IllegalStateException("a connection could not be closed", e);
      }
    }
  }

  private void awaitTime(long nanos) {
    long left = nanos - System.nanoTime();
    while (left > 0 && !ended) {
      LockSupport.parkNanos(left);
      left = nanos - System.nanoTime();
    }
  }

  /** One connection. */
  private final class Client implements AutoCloseable {
    private final List<Request> own = new ArrayList<>();
    private @Nullable Socket socket;
    private int slot = -1;
    private boolean open = true;
    private long openedNanos;

    void ask(long intendedNanos) {
      int status = 0;
      boolean retryAfter = false;
      try {
        Reply reply = exchange();
        status = reply.status;
        retryAfter = reply.retryAfter;
        open = !reply.close;
        if (status == 200) {
          String id = JSON.readTree(reply.body).path("id").asText();
          slot = InstanceId.parse(id).orElseThrow().partition() % slots;
        }
      } catch (IOException e) {
        open = false;
      }
      own.add(
          new Request(
              intendedNanos,
              System.nanoTime(),
              Thread.currentThread().threadId(),
              openedNanos,
              slot,
              status,
              retryAfter));
      count.increment();
    }

    /** Requests before the first answer belong to the same replica as those after it. */
    void tell() {
      for (Request each : own) {
        requests.add(
            new Request(
                each.intendedNanos,
                each.endedNanos,
                each.client,
                each.openedNanos,
                slot,
                each.status,
                each.retryAfter));
      }
    }

    private Reply exchange() throws IOException {
      Socket connected = socket;
      if (connected == null) {
        openedNanos = System.nanoTime();
        connected = new Socket();
        connected.setTcpNoDelay(true);
        connected.setSoTimeout(TIMEOUT_MILLIS);
        connected.connect(new InetSocketAddress(target.getHost(), target.getPort()));
        socket = connected;
      }
      String head =
          "POST "
              + target.getPath()
              + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
              + "Content-Length: 2\r\n\r\n{}";
      connected.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      return Reply.read(new BufferedInputStream(connected.getInputStream()));
    }

    @Override
    public void close() throws IOException {
      if (socket != null) {
        socket.close();
      }
    }
  }

  private record Reply(int status, boolean close, boolean retryAfter, String body) {
    static Reply read(InputStream in) throws IOException {
      String status = line(in);
      int length = 0;
      boolean close = false;
      boolean retryAfter = false;
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        String field = line.toLowerCase(Locale.ROOT);
        if (field.startsWith("content-length:")) {
          length = Integer.parseInt(field.substring("content-length:".length()).strip());
        }
        close |= field.equals("connection: close");
        retryAfter |= field.startsWith("retry-after:");
      }
      byte[] body = in.readNBytes(length);
      if (body.length < length) {
        throw new EOFException("expected " + length + " bytes, found " + body.length);
      }
      return new Reply(
          Integer.parseInt(status.split(" ", 3)[1]),
          close,
          retryAfter,
          new String(body, StandardCharsets.UTF_8));
    }

    private static String line(InputStream in) throws IOException {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int next = in.read(); next != '\n'; next = in.read()) {
        if (next < 0) {
          throw new EOFException("expected an answer, found the end of the connection");
        }
        if (next != '\r') {
          line.write(next);
        }
      }
      return line.toString(StandardCharsets.US_ASCII);
    }
  }
}
