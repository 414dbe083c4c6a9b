package dev.pinion.core.invoker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A service on loopback that sends, byte for byte, what a test scripts. */
public final class ScriptedServer implements AutoCloseable {
  /** Script for one connection; the connection closes when it returns. */
  @FunctionalInterface
  public interface Script {
    void serve(Conversation conversation) throws Exception;
  }

  /** Layer between the socket and the script, such as TLS. */
  @FunctionalInterface
  interface Layer {
    Socket over(Socket socket) throws IOException;
  }

  private final ServerSocket listener;
  private final Layer layer;
  private final Script script;
  private final String scheme;
  private final AtomicInteger connections = new AtomicInteger();
  private final AtomicInteger openNow = new AtomicInteger();
  private final AtomicInteger mostOpen = new AtomicInteger();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  public ScriptedServer(Script script) {
    this("http", socket -> socket, script);
  }

  ScriptedServer(String scheme, Layer layer, Script script) {
    this(scheme, layer, script, InetAddress.getLoopbackAddress(), 0);
  }

  /** A service at another address of this machine, and a port. */
  public ScriptedServer(InetAddress address, int port, Script script) {
    this("http", socket -> socket, script, address, port);
  }

  private ScriptedServer(String scheme, Layer layer, Script script, InetAddress address, int port) {
    this.scheme = scheme;
    this.layer = layer;
    this.script = script;
    try {
      this.listener = new ServerSocket(port, 128, address);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::accept);
  }

  /** A script that sends the same response to every request. */
  public static Script answering(String answer) {
    return conversation -> {
      while (!conversation.readRequest().isEmpty()) {
        conversation.send(answer);
      }
    };
  }

  /** A complete response with a body. */
  static String ok(String contentType, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return "HTTP/1.1 200 OK\r\nContent-Type: "
        + contentType
        + "\r\nContent-Length: "
        + length
        + "\r\n\r\n"
        + body;
  }

  public static String json(String body) {
    return ok("application/json", body);
  }

  public int port() {
    return listener.getLocalPort();
  }

  public String authority() {
    return "127.0.0.1:" + port();
  }

  public String uri(String path) {
    return scheme + "://" + authority() + path;
  }

  /** Number of connections accepted so far. */
  public int connections() {
    return connections.get();
  }

  /** Most connections that were open at one moment. */
  int mostOpen() {
    return mostOpen.get();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        sockets.add(socket);
        int number = connections.incrementAndGet();
        mostOpen.accumulateAndGet(openNow.incrementAndGet(), Math::max);
        Thread.ofVirtual().start(() -> serve(socket, number));
      }
    } catch (IOException e) {
      // closed by the test
    }
  }

  private void serve(Socket socket, int number) {
    try (socket) {
      socket.setTcpNoDelay(true);
      try (Socket layered = layer.over(socket)) {
        script.serve(new Conversation(layered, socket, number));
      }
    } catch (Exception e) {
      // The other side closed, or the test ended; the Invoker sees everything that matters.
    } finally {
      openNow.decrementAndGet();
      sockets.remove(socket);
    }
  }

  @Override
  public void close() {
    try {
      listener.close();
      for (Socket socket : sockets) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** One connection on the service's side. */
  public static final class Conversation {
    private final Socket socket;
    private final Socket bare;
    private final int number;

    Conversation(Socket socket, Socket bare, int number) {
      this.socket = socket;
      this.bare = bare;
      this.number = number;
    }

    /** Number of the connection, from 1. */
    int number() {
      return number;
    }

    /** Reads one request, its body by Content-Length; empty at the end of the connection. */
    public String readRequest() throws IOException {
      String head = readHead();
      int length = 0;
      for (String line : head.split("\r\n", -1)) {
        if (line.regionMatches(true, 0, "Content-Length:", 0, 15)) {
          length = Integer.parseInt(line.substring(15).strip());
        }
      }
      byte[] body = socket.getInputStream().readNBytes(length);
      return head + new String(body, StandardCharsets.UTF_8);
    }

    /** Reads the head of a request; empty at the end of the connection. */
    String readHead() throws IOException {
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        int next = socket.getInputStream().read();
        if (next < 0) {
          return "";
        }
        head.append((char) next);
      }
      return head.toString();
    }

    public void send(String text) throws IOException {
      send(text.getBytes(StandardCharsets.UTF_8));
    }

    public void send(byte[] bytes) throws IOException {
      socket.getOutputStream().write(bytes);
      socket.getOutputStream().flush();
    }

    void sendOneByOne(String text) throws IOException {
      for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
        socket.getOutputStream().write(b);
        socket.getOutputStream().flush();
      }
    }

    /** Waits until the other side closes. */
    public void awaitClose() throws IOException {
      while (socket.getInputStream().read() >= 0) {
        // discard input
      }
    }

    /** Ends its side with the layer's close message, such as TLS close_notify, and FIN. */
    void endOutput() throws IOException {
      socket.shutdownOutput();
    }

    /** Ends its side with FIN, without the layer's close message. */
    void cutOffOutput() throws IOException {
      bare.shutdownOutput();
    }

    /** Closes with RST instead of FIN. */
    void reset() throws IOException {
      bare.setSoLinger(true, 0);
      bare.close();
    }

    /**
     * Ends its side without the layer's close message, and waits until the other side has closed.
     */
    public void cutOffAndAwaitClose() throws IOException {
      bare.shutdownOutput();
      while (bare.getInputStream().read() >= 0) {
        // discard input
      }
    }

    /** Closes without the layer's close message, such as TLS close_notify. */
    public void cutOff() throws IOException {
      bare.close();
    }
  }
}
