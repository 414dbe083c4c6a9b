package dev.pinion.benchmarks.bare;

import dev.pinion.workloads.transport.Transport;

/**
 * The least an HTTP server of one event loop can do: answer each request with its body. What it
 * reaches bounds what any exchange can reach on that core.
 */
public final class EchoServer {
  private EchoServer() {}

  /**
   * Starts it.
   *
   * @param port port to listen on, 0 for a free one
   * @throws IllegalStateException when the port is taken
   */
  public static LoopServer start(int port) {
    Transport transport = Transport.best();
    return LoopServer.listen(transport.loops(1, "echo"), transport, port, EchoHandler::new);
  }
}
