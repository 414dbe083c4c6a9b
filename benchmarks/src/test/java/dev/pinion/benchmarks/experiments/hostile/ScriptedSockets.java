package dev.pinion.benchmarks.experiments.hostile;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** A server that reads a little of each connection, sends the reply of its script, and closes. */
final class ScriptedSockets implements AutoCloseable {
  private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  private final Semaphore accepted = new Semaphore(0);
  private final IntFunction<String> script;

  /**
   * Listens on a free port.
   *
   * @param script reply to the n-th connection, from 0
   */
  ScriptedSockets(IntFunction<String> script) throws IOException {
    this.script = script;
    Thread.ofVirtual().start(this::accept);
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + listener.getLocalPort());
  }

  /**
   * Waits for connections: one that its client has abandoned may be accepted after the client's
   * end.
   *
   * @throws AssertionError when fewer have come within half a minute
   */
  void awaitConnections(int count) throws InterruptedException {
    if (!accepted.tryAcquire(count, 30, TimeUnit.SECONDS)) {
      throw new AssertionError(
          "expected " + count + " connections, found " + accepted.availablePermits());
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  private void accept() {
    try {
      for (int n = 0; ; n++) {
        Socket socket = listener.accept();
        accepted.release();
        int number = n;
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
      // the client has closed
    }
  }
}
