package dev.pinion.benchmarks.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** A server that reads a little of each connection, says what its script says, and closes. */
final class ScriptedSockets implements AutoCloseable {
  private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  private final AtomicInteger connections = new AtomicInteger();
  private final IntFunction<String> script;

  /**
   * Listens on a free port.
   *
   * @param script what the n-th connection is told, from 0
   */
  ScriptedSockets(IntFunction<String> script) throws IOException {
    this.script = script;
    Thread.ofVirtual().start(this::accept);
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  int connections() {
    return connections.get();
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private void accept() {
    try {
      while (true) {
        Socket socket = listener.accept();
        int number = connections.getAndIncrement();
        Thread.ofVirtual().start(() -> answer(socket, script.apply(number)));
      }
    } catch (IOException closed) {
      // the end of the test
    }
  }

  private static void answer(Socket socket, String text) {
    try (socket) {
      socket.getInputStream().read();
      socket.getOutputStream().write(text.getBytes(ISO_8859_1));
      socket.shutdownOutput();
      socket.getInputStream().transferTo(java.io.OutputStream.nullOutputStream());
    } catch (IOException gone) {
      // the client has gone
    }
  }
}
