package dev.pinion.benchmarks.bare;

import dev.pinion.workloads.transport.Transport;

/**
 * The minimal HTTP server of one event loop: answers each request with its body. Its throughput
 * bounds that of any exchange on that core.
 */
public final class EchoServer {
  private EchoServer() {}

  /**
   * Starts the server.
   *
   * @param port port to listen on, 0 for a free one
   * @throws IllegalStateException when the port is taken
   */
  public static LoopServer start(int port) {
    Transport transport = Transport.best();
    return LoopServer.listen(transport.loops(1, "echo"), transport, port, EchoHandler::new);
  }
}
