package dev.pinion.workloads.load;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** A server that answers its n-th request by a script, byte for byte. */
final class ScriptedServer implements AutoCloseable {
  /** Response that closes the connection instead. */
  static final String HANG_UP = "hang up";

  /** Response that is never sent. */
  static final String SILENCE = "silence";

  private final ServerSocket listener;
  private final IntFunction<String> script;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();
  private final Queue<String> bodies = new ConcurrentLinkedQueue<>();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  /**
   * Listens on a free port.
   *
   * @param script response to the n-th request, from 0
   */
  ScriptedServer(IntFunction<String> script) throws IOException {
    this.script = script;
    listener = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  static String ok(String body) {
    return answer(200, body);
  }

  static String answer(int status, String body) {
    return "HTTP/1.1 " + status + " x\r\ncontent-length: " + body.length() + "\r\n\r\n" + body;
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort() + "/path?q=1");
  }

  int requests() {
    return requests.get();
  }

  int connections() {
    return connections.get();
  }

  Queue<String> bodies() {
    return bodies;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket socket : open) {
      socket.close();
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        open.add(socket);
        connections.incrementAndGet();
        Thread.ofVirtual().start(() -> serve(socket));
      }
    } catch (IOException closed) {
      // the end of the test
    }
  }

  private void serve(Socket socket) {
    try (socket) {
      InputStream in = socket.getInputStream();
      while (readRequest(in)) {
        String answer = script.apply(requests.getAndIncrement());
        if (answer.equals(HANG_UP)) {
          return;
        }
        if (!answer.equals(SILENCE)) {
          socket.getOutputStream().write(answer.getBytes(ISO_8859_1));
        }
        if (answer.contains("connection: close")) {
          return;
        }
      }
    } catch (IOException lost) {
      // the client has closed
    } finally {
      open.remove(socket);
    }
  }

  private boolean readRequest(InputStream in) throws IOException {
    StringBuilder head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        return false;
      }
      head.append((char) next);
    }
    String text = head.toString();
    if (!text.startsWith("POST /path?q=1 HTTP/1.1\r\nhost: 127.0.0.1:")) {
      throw new UncheckedIOException(new IOException(text));
    }
    String marker = "content-length: ";
    int at = text.indexOf(marker) + marker.length();
    int length = Integer.parseInt(text.substring(at, text.indexOf('\r', at)));
    bodies.add(new String(in.readNBytes(length), UTF_8));
    return true;
  }
}
